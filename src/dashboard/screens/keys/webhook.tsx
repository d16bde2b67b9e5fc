import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, toScreenPath } from '../../api/client.ts';
import { change, refresh, useGet } from '../../api/query.ts';
import type { Redeliveries, Webhook as WebhookBody } from '../../api/shapes.ts';
import { Button, Danger, Primary, useAction, useToast } from '../../ui/buttons.tsx';
import { Question } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { Above, Card, Page } from '../../ui/page.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { say, sayWith } from '../../words/say.ts';
import { Deliveries } from './deliveries.tsx';
import { SecretList } from './secrets.tsx';
import { EventChips, WebhookForm, WebhookState } from './webhooks.tsx';

/** Lists the secrets of a webhook, makes another one, and deletes the one that it replaces. */
const WebhookSecrets = ({ id }: { readonly id: string }) => {
  const secrets = useGet('/api/v1/webhooks/{id}/secrets', { path: { id } });
  const makeSecret = async (): Promise<string> =>
    (await change(api.POST('/api/v1/webhooks/{id}/secrets', { params: { path: { id } } }))).secret;
  return (
    <Loaded load={secrets} what={say('the secrets')}>
      {({ data }) => (
        <SecretList
          secrets={data}
          name="secret"
          fullName={say('webhook secret')}
          make={say('Create another secret')}
          hint={say(
            'While there are two, deliveries are signed by both. Delete the old one once your program has the new one.',
          )}
          keptMin={1}
          consequence={(shown) =>
            sayWith(
              'Deliveries will no longer be signed by {shown}. A program that knows only this secret will refuse them.',
              { shown },
            )
          }
          onMake={makeSecret}
          onDelete={(secret) =>
            change(api.DELETE('/api/v1/webhooks/{id}/secrets/{secret}', { params: { path: { id, secret } } }))
          }
        />
      )}
    </Loaded>
  );
};

const LIST = '/keys/webhooks';

interface PartProps {
  readonly webhook: WebhookBody;
}

/** Tests, pauses and deletes a webhook. */
const Actions = ({ webhook: { id, state } }: PartProps) => {
  const params = { path: { id } };
  const { route } = useLocation();
  const toast = useToast();
  const { busy, fault, run } = useAction();
  const [isDeleting, setDeleting] = useState(false);
  const isOn = state === 'on';
  const turn = () =>
    change(api.PATCH('/api/v1/webhooks/{id}', { params, body: { state: isOn ? 'off' : 'on' } }));
  const test = async (): Promise<void> => {
    await change(api.POST('/api/v1/webhooks/{id}/test', { params }));
    toast({ text: say('A test will be sent.') });
  };
  return (
    <>
      <Primary disabled={busy || !isOn} onClick={() => void run(test)}>
        {say('Send a test')}
      </Primary>
      <Button disabled={busy} onClick={() => void run(turn)}>
        {isOn ? say('Pause') : say('Turn on')}
      </Button>
      <Danger onClick={() => setDeleting(true)}>{say('Delete')}</Danger>
      {fault !== null && <Failure fault={fault} />}
      {isDeleting && (
        <Question
          title={say('Delete this webhook?')}
          yes={say('Delete the webhook')}
          no={say('Keep the webhook')}
          act={async () => {
            // Not `change`, which would refetch what no longer exists.
            await ask(api.DELETE('/api/v1/webhooks/{id}', { params }));
            route(toScreenPath(LIST));
          }}
          onClose={() => setDeleting(false)}
        >
          <p>
            {say(
              'Nothing more will be sent to it, and its deliveries will be deleted. This cannot be undone.',
            )}
          </p>
        </Question>
      )}
    </>
  );
};

/** Shows where a webhook sends what, and the secrets with which it signs that. */
const Settings = ({ webhook }: PartProps) => {
  const { id, url, events } = webhook;
  const [isEditing, setEditing] = useState(false);
  return (
    <Card title={say('Settings')} actions={<Button onClick={() => setEditing(true)}>{say('Edit')}</Button>}>
      <p class="wrap">{url}</p>
      <p class="row">
        <EventChips events={events} />
      </p>
      <h3>{say('Secrets')}</h3>
      <WebhookSecrets id={id} />
      {isEditing && (
        <WebhookForm
          title={say('Edit the webhook')}
          action={say('Save')}
          first={webhook}
          save={async (body) => {
            await ask(api.PATCH('/api/v1/webhooks/{id}', { params: { path: { id } }, body }));
            return null;
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </Card>
  );
};

/** Sends again all that was not delivered since the webhook was made. */
const SendMissed = ({ webhook: { id, state, created_at: begun } }: PartProps) => {
  const toast = useToast();
  const { busy, fault, run } = useAction();
  const send = async (): Promise<void> => {
    let sent = 0;
    for (let since: string | null = begun; since !== null; ) {
      const again: Redeliveries = await ask(
        api.POST('/api/v1/webhooks/{id}/redeliveries', {
          params: { path: { id } },
          body: { since, only_undelivered: true },
        }),
      );
      sent += again.count;
      since = again.next_since;
    }
    refresh();
    toast({ text: say('{deliveries} will be sent.', { deliveries: count(sent, 'delivery', 'deliveries') }) });
  };
  return (
    <>
      <Button disabled={busy || state !== 'on'} onClick={() => void run(send)}>
        {say('Send what it missed')}
      </Button>
      {fault !== null && <Failure fault={fault} />}
    </>
  );
};

/** Shows one webhook: its settings and secrets, and below what was sent to it. */
export default function Webhook({ id = '' }: { readonly id?: string; readonly path: string }) {
  const webhook = useGet('/api/v1/webhooks/{id}', { path: { id } });
  return (
    <Page
      title={say('Webhook')}
      above={<Above path={LIST} name={say('Webhooks')} />}
      beside={webhook.data && <WebhookState webhook={webhook.data} />}
      actions={webhook.data && <Actions webhook={webhook.data} />}
    >
      <Loaded load={webhook} what={say('the webhook')}>
        {(data) => (
          <>
            <Settings webhook={data} />
            <Deliveries id={data.id} isOn={data.state === 'on'} actions={<SendMissed webhook={data} />} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
