import { EVENTS, type WebhookEvent } from '../../../lists.ts';
import type { Webhook, WebhookDelivery } from '../../api/shapes.ts';
import { count, formatNumber } from '../../ui/format.ts';

/** Returns what an event means. */
export const meaningOf = (event: string): string => EVENTS[event as WebhookEvent] ?? 'A test';

/** Shows the events of a webhook. */
export const EventChips = ({ events }: Pick<Webhook, 'events'>) => (
  <>
    {events.length === 0 && <span class="muted">Only batches that name it</span>}
    {events.map((event) => (
      <span class="chip" key={event} title={meaningOf(event)}>
        {event}
      </span>
    ))}
  </>
);

const Standing = ({ webhook: { state, failures } }: { readonly webhook: Webhook }) => {
  if (state === 'off') return <span class="chip">Paused</span>;
  if (state === 'gone') return <span class="chip bad">Gone: its address answered 410</span>;
  if (failures === 0) return <span class="chip good">On</span>;
  return <span class="chip warn">{count(failures, 'failed try', 'failed tries')}</span>;
};

/** Says whether anything is sent to a webhook, whether that fails, and how much was given up. */
export const WebhookState = ({ webhook }: { readonly webhook: Webhook }) => (
  <>
    <Standing webhook={webhook} />
    {webhook.missed > 0 && (
      <span class="chip bad" title="They were not delivered within a week, or too many waited">
        {formatNumber(webhook.missed)} given up
      </span>
    )}
  </>
);

const DELIVERY_LOOKS = {
  waiting: ['Waiting', ''],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
} as const satisfies Readonly<Record<WebhookDelivery['state'], readonly [word: string, look: string]>>;

/** Names the state of a delivery. */
export const DeliveryState = ({ state }: Pick<WebhookDelivery, 'state'>) => {
  const [word, look] = DELIVERY_LOOKS[state];
  return <span class={`chip ${look}`}>{word}</span>;
};
