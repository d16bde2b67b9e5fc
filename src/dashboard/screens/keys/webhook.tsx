import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, toScreenPath } from '../../api/client.ts';
import { change, refresh, useGet, usePages } from '../../api/query.ts';
import type { Redeliveries, Webhook as WebhookBody, WebhookDelivery } from '../../api/shapes.ts';
import { Button, Danger, useAction, useToast } from '../../ui/buttons.tsx';
import { Question } from '../../ui/form.tsx';
import { count, formatMoment, formatNumber, unitOf } from '../../ui/format.ts';
import { PagedTable } from '../../ui/lists.tsx';
import { Above, Card, Page } from '../../ui/page.tsx';
import { Empty, Failure, Loaded } from '../../ui/states.tsx';
import { SecretList } from './secrets.tsx';
import { DeliveryState, EventChips, meaningOf, WebhookForm, WebhookState } from './webhooks.tsx';

const SHOWN = 25;

/** Says what came of the last try. */
const answerOf = ({ status, error, next_at }: WebhookDelivery): string => {
  const answer = status === null ? (error ?? 'not tried yet') : `HTTP ${status}`;
  return next_at === null ? answer : `${answer}, next try ${formatMoment(next_at)}`;
};

/** Shows the deliveries of a webhook, newest first, each with a button that sends it again. */
const Deliveries = ({ id, isOn }: { readonly id: string; readonly isOn: boolean }) => {
  const toast = useToast();
  const asked = { path: { id }, query: { limit: SHOWN } };
  const pages = usePages('/api/v1/webhooks/{id}/deliveries', asked, (deliveries) =>
    deliveries.every(({ state }) => state !== 'waiting'),
  );
  const sendAgain = async (delivery: string): Promise<void> => {
    const path = '/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver';
    await change(api.POST(path, { params: { path: { id, delivery } } }));
    toast({ text: 'It will be sent again.' });
  };
  return (
    <PagedTable
      pages={pages}
      what="deliveries"
      columns={['Event', 'State', 'Answer', 'Tries', 'Created']}
      empty={<Empty title="Nothing has been sent yet." />}
      row={(delivery) => (
        <tr key={delivery.id}>
          <td title={meaningOf(delivery.event)}>{delivery.event}</td>
          <td>
            <DeliveryState state={delivery.state} />
          </td>
          <td class="muted wrap">{answerOf(delivery)}</td>
          <td class="number" data-unit={unitOf(delivery.tries, 'try', 'tries')}>
            {formatNumber(delivery.tries)}
          </td>
          <td class="muted">{formatMoment(delivery.created_at)}</td>
          <td class="end">
            <Button
              about={`${delivery.event} of ${formatMoment(delivery.created_at)}`}
              disabled={!isOn}
              onClick={() =>
                void sendAgain(delivery.id).catch((error: Error) => toast({ text: error.message }))
              }
            >
              Send again
            </Button>
          </td>
        </tr>
      )}
    />
  );
};

/** Lists the secrets of a webhook, makes another one, and deletes the one that it replaces. */
const WebhookSecrets = ({ id }: { readonly id: string }) => {
  const secrets = useGet('/api/v1/webhooks/{id}/secrets', { path: { id } });
  const makeSecret = async (): Promise<string> =>
    (await change(api.POST('/api/v1/webhooks/{id}/secrets', { params: { path: { id } } }))).secret;
  return (
    <Loaded load={secrets} what="the secrets">
      {({ data }) => (
        <SecretList
          secrets={data}
          name="secret"
          fullName="webhook secret"
          make="Create another secret"
          hint="While there are two, deliveries are signed by both. Delete the old one once your program has the new one."
          keptMin={1}
          consequence={(shown) => (
            <>
              Deliveries will no longer be signed by {shown}. A program that knows only this secret will
              refuse them.
            </>
          )}
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
    toast({ text: 'A test will be sent.' });
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
    toast({ text: `${count(sent, 'delivery', 'deliveries')} will be sent.` });
  };
  return (
    <Card title="Settings">
      <p class="wrap">{url}</p>
      <p class="row">
        <EventChips events={events} />
      </p>
      <div class="row">
        <Button onClick={() => setDialog('edit')}>Edit</Button>
        <Button disabled={busy} onClick={() => void run(turn)}>
          {isOn ? 'Pause' : 'Turn on'}
        </Button>
        <Button disabled={busy || !isOn} onClick={() => void run(test)}>
          Send a test
        </Button>
        <Button disabled={busy || !isOn} onClick={() => void run(sendMissed)}>
          Send what it missed
        </Button>
        <Danger onClick={() => setDialog('delete')}>Delete</Danger>
      </div>
      {fault !== null && <Failure fault={fault} />}
      {dialog === 'edit' && (
        <WebhookForm
          title="Edit the webhook"
          action="Save"
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
          title="Delete this webhook?"
          yes="Delete the webhook"
          no="Keep the webhook"
          act={async () => {
            // Not `change`, which would refetch what no longer exists.
            await ask(api.DELETE('/api/v1/webhooks/{id}', { params }));
            route(toScreenPath(LIST));
          }}
          onClose={close}
        >
          <p>Nothing more will be sent to it, and its deliveries will be deleted. This cannot be undone.</p>
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
      title="Webhook"
      above={<Above path={LIST} name="Webhooks" />}
      beside={webhook.data && <WebhookState webhook={webhook.data} />}
    >
      <Loaded load={webhook} what="the webhook">
        {(data) => (
          <>
            <Settings webhook={data} />
            <Card title="Secrets">
              <WebhookSecrets id={data.id} />
            </Card>
            <h2>Deliveries</h2>
            <Deliveries id={data.id} isOn={data.state === 'on'} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
