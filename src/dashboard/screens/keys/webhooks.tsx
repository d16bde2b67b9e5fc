/** The webhooks of the account, and the parts that the screen of one shares. */
import { useState } from 'preact/hooks';
import { namesOf } from '../../../../workers/lists.ts';
import { EVENTS, type WebhookEvent } from '../../../lists.ts';
import { api, ask, toScreenPath } from '../../api/client.ts';
import { getAll, refresh, useRead } from '../../api/query.ts';
import type { Webhook, WebhookDelivery } from '../../api/shapes.ts';
import { Primary } from '../../ui/buttons.tsx';
import { UrlInput } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { useAskedForNew } from '../../ui/kept/asked.ts';
import { useDraft } from '../../ui/kept/drafts.ts';
import { Card, Page, Tabs } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { SecretShown } from './secrets.tsx';

export const meaningOf = (event: string): string => EVENTS[event as WebhookEvent] ?? say('A test');

export const EventChips = ({ events }: Pick<Webhook, 'events'>) => (
  <>
    {events.length === 0 && (
      <span class="muted">{say('No events, only batches that name this webhook')}</span>
    )}
    {events.map((event) => (
      <span class="chip" key={event} title={meaningOf(event)}>
        {event}
      </span>
    ))}
  </>
);

const Standing = ({ webhook: { state, failures } }: { readonly webhook: Webhook }) => {
  if (state === 'off') return <span class="chip">{say('Paused')}</span>;
  if (state === 'gone') return <span class="chip bad">{say('Gone: its address answered 410')}</span>;
  if (failures === 0) return <span class="chip good">{say('On')}</span>;
  return <span class="chip warn">{count(failures, 'failed try', 'failed tries')}</span>;
};

/** Says whether anything is sent to a webhook, whether that fails, and how much was given up. */
export const WebhookState = ({ webhook }: { readonly webhook: Webhook }) => (
  <>
    <Standing webhook={webhook} />
    {webhook.missed > 0 && (
      <span class="chip bad" title={say('They were not delivered within a week, or too many waited')}>
        {say('{missed} given up', { missed: webhook.missed })}
      </span>
    )}
  </>
);

const DELIVERY_LOOKS = {
  waiting: [say('Waiting'), ''],
  delivered: [say('Delivered'), 'good'],
  failed: [say('Failed'), 'bad'],
} as const satisfies Readonly<Record<WebhookDelivery['state'], readonly [word: string, look: string]>>;

/** Says how a delivery stands: one whose last try failed is not just waiting. */
export const DeliveryState = ({ state, tries, duration_ms: triedMs }: WebhookDelivery) => {
  const [word, look] = DELIVERY_LOOKS[state];
  if (state === 'waiting' && tries > 0 && triedMs !== null)
    return <span class="chip warn">{say('Failed so far')}</span>;
  return <span class={`chip ${look}`}>{word}</span>;
};

interface WebhookRequest {
  readonly url: string;
  readonly events: WebhookEvent[];
}

interface WebhookFormProps {
  readonly title: string;
  readonly action: string;
  /** What it has so far. */
  readonly first?: { readonly url: string; readonly events: readonly string[] };
  /** Returns the secret of a new webhook, which is shown once; `null`: it has one. */
  readonly save: (wanted: WebhookRequest) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Asks in a dialog for the address of a webhook and the events that it receives. */
export const WebhookForm = ({ title, action, first, save, onClose }: WebhookFormProps) => {
  const [{ url, events }, enter, draft] = useDraft(`webhook ${first?.url ?? ''}`, {
    url: first?.url ?? '',
    events: namesOf(EVENTS).filter((event) => first?.events.includes(event)),
  });
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretShown what={say('webhook secret')} secret={secret} onDone={onClose} />;
  const toggle = (event: WebhookEvent, on: boolean) =>
    enter({ events: on ? [...events, event] : events.filter((other) => other !== event) });
  const submit = async (): Promise<void> => {
    const made = await save({ url: url.trim(), events });
    refresh();
    if (made === null) onClose();
    else setSecret(made);
  };
  return (
    <FormDialog
      title={title}
      action={action}
      isReady={url.trim() !== ''}
      submit={submit}
      draft={draft}
      staysOpen
      help={say(
        'The address takes POST requests over https. Each one is signed with the secret of the webhook.',
      )}
      onClose={onClose}
    >
      {(aria) => (
        <>
          <UrlInput
            label={say('Address')}
            placeholder="https://example.com/hooks/tessera"
            value={url}
            required
            onText={(typed) => enter({ url: typed })}
            {...aria}
          />
          <fieldset class="choice">
            <legend>{say('Events that it receives')}</legend>
            {namesOf(EVENTS).map((event) => (
              <label key={event}>
                <input
                  type="checkbox"
                  checked={events.includes(event)}
                  onChange={({ currentTarget }) => toggle(event, currentTarget.checked)}
                />
                <span>
                  {EVENTS[event]} <code class="muted">{event}</code>
                </span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  );
};

/** Bounds the loop; an account has ten webhooks unless its operator allows more. */
const PAGES_MAX = 10;

const Row = ({ webhook }: { readonly webhook: Webhook }) => (
  <li>
    <div>
      <a class="wrap name" href={toScreenPath(`/keys/webhooks/${webhook.id}`)}>
        {webhook.url}
      </a>
    </div>
    <p class="row">
      <EventChips events={webhook.events} />
    </p>
    <p class="row">
      <WebhookState webhook={webhook} />
    </p>
  </li>
);

export default function Webhooks(_: { readonly path: string }) {
  const webhooks = useRead(['webhooks'], (signal) =>
    getAll('/api/v1/webhooks', { query: { limit: 100 } }, PAGES_MAX, signal),
  );
  const [isMaking, setMaking] = useState(false);
  useAskedForNew(() => setMaking(true));
  const begin = <Primary onClick={() => setMaking(true)}>{say('New webhook')}</Primary>;
  return (
    <Page title={say('Webhooks')} actions={webhooks.data?.length !== 0 && begin}>
      <Tabs of="keys" />
      <Card title={say('Your webhooks')}>
        <Loaded load={webhooks} what={say('your webhooks')}>
          {(held) =>
            held.length === 0 ? (
              <Empty title={say('No webhooks yet.')} icon="key" actions={begin}>
                <p>
                  {say('Tessera can tell your program what happens here by sending events to its address.')}
                </p>
              </Empty>
            ) : (
              <ul class="rows">
                {held.map((webhook) => (
                  <Row key={webhook.id} webhook={webhook} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {isMaking && (
        <WebhookForm
          title={say('New webhook')}
          action={say('Create webhook')}
          save={async (body) => (await ask(api.POST('/api/v1/webhooks', { body }))).secret}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  );
}
