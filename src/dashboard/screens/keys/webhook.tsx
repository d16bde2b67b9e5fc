import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, toScreenPath } from '../../api/client.ts';
import { change, refresh, useGet } from '../../api/query.ts';
import type { Redeliveries, Webhook as WebhookBody } from '../../api/shapes.ts';
import { Button, Danger, useAction, useToast } from '../../ui/buttons.tsx';
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

/** Shows where a webhook sends what, and lets a person change, pause, test and delete it. */
const Settings = ({ webhook }: { readonly webhook: WebhookBody }) => {
  const { id, url, events, state } = webhook;
  const params = { path: { id } };
  const { route } = useLocation();
  const toast = useToast();
  const { busy, fault, run } = useAction();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const isOn = state === 'on';
  const turn = () =>
    change(api.PATCH('/api/v1/webhooks/{id}', { params, body: { state: isOn ? 'off' : 'on' } }));
  const test = async (): Promise<void> => {
    await change(api.POST('/api/v1/webhooks/{id}/test', { params }));
    toast({ text: say('A test will be sent.') });
  };
  const sendMissed = async (): Promise<void> => {
    let sent = 0;
    for (let since: string | null = webhook.created_at; since !== null; ) {
      const body = { since, only_undelivered: true };
      const again: Redeliveries = await ask(api.POST('/api/v1/webhooks/{id}/redeliveries', { params, body }));
      sent += again.count;
      since = again.next_since;
    }
    refresh();
    toast({ text: say('{deliveries} will be sent.', { deliveries: count(sent, 'delivery', 'deliveries') }) });
  };
  return (
    <Card title={say('Settings')}>
      <p class="wrap">{url}</p>
      <p class="row">
        <EventChips events={events} />
      </p>
      <div class="row">
        <Button onClick={() => setDialog('edit')}>{say('Edit')}</Button>
        <Button disabled={busy} onClick={() => void run(turn)}>
          {isOn ? say('Pause') : say('Turn on')}
        </Button>
        <Button disabled={busy || !isOn} onClick={() => void run(test)}>
          {say('Send a test')}
        </Button>
        <Button disabled={busy || !isOn} onClick={() => void run(sendMissed)}>
          {say('Send what it missed')}
        </Button>
        <Danger onClick={() => setDialog('delete')}>{say('Delete')}</Danger>
      </div>
      {fault !== null && <Failure fault={fault} />}
      {dialog === 'edit' && (
        <WebhookForm
          title={say('Edit the webhook')}
          action={say('Save')}
          first={webhook}
          save={async (body) => {
            await ask(api.PATCH('/api/v1/webhooks/{id}', { params, body }));
            return null;
          }}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <Question
          title={say('Delete this webhook?')}
          yes={say('Delete the webhook')}
          no={say('Keep the webhook')}
          act={async () => {
            // Not `change`, which would refetch what no longer exists.
            await ask(api.DELETE('/api/v1/webhooks/{id}', { params }));
            route(toScreenPath(LIST));
          }}
          onClose={close}
        >
          <p>
            {say(
              'Nothing more will be sent to it, and its deliveries will be deleted. This cannot be undone.',
            )}
          </p>
        </Question>
      )}
    </Card>
  );
};

/** Shows one webhook: its settings, its secrets, and what was sent to it. */
export default function Webhook({ id = '' }: { readonly id?: string; readonly path: string }) {
  const webhook = useGet('/api/v1/webhooks/{id}', { path: { id } });
  return (
    <Page
      title={say('Webhook')}
      above={<Above path={LIST} name={say('Webhooks')} />}
      beside={webhook.data && <WebhookState webhook={webhook.data} />}
    >
      <Loaded load={webhook} what={say('the webhook')}>
        {(data) => (
          <>
            <Settings webhook={data} />
            <Card title={say('Secrets')}>
              <WebhookSecrets id={data.id} />
            </Card>
            <h2>{say('Deliveries')}</h2>
            <Deliveries id={data.id} isOn={data.state === 'on'} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
