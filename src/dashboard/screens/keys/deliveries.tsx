/** What was sent to a webhook, and what its receiver answered. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { change, usePages } from '../../api/query.ts';
import type { WebhookDelivery } from '../../api/shapes.ts';
import { Button, Quiet, useAction, useToast } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/form.tsx';
import { formatMoment, formatNumber, unitOf } from '../../ui/format.ts';
import { PagedTable } from '../../ui/lists.tsx';
import { FactList } from '../../ui/page.tsx';
import { Empty, Failure } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { DeliveryState, meaningOf } from './webhooks.tsx';

const SHOWN = 25;

/** Says what came of the last try. */
const outcomeOf = ({ status, error, next_at }: WebhookDelivery): string => {
  const answer = status === null ? (error ?? say('not tried yet')) : `HTTP ${status}`;
  return next_at === null
    ? answer
    : say('{answer}, next try {moment}', { answer, moment: formatMoment(next_at) });
};

/** A text that somebody else wrote; a region of its own, so that keyboards can scroll it. */
const Listing = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <section aria-label={title}>
    <h3>{title}</h3>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
    <pre tabIndex={0} dir="ltr">
      {text}
    </pre>
  </section>
);

/** The body that was sent, with line breaks for people. */
const sentOf = ({ event, created_at: timestamp, data }: WebhookDelivery): string =>
  JSON.stringify({ type: event, timestamp, data }, null, 2);

const answerOf = ({ status, answer, answer_headers: headers }: WebhookDelivery): string =>
  [
    `HTTP ${status}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    '',
    answer === '' ? say('(an empty body)') : answer,
  ].join('\n');

/** Says why there is no answer to show. */
const NoAnswer = ({ of: { error, tried_at: triedAt, status } }: { readonly of: WebhookDelivery }) => (
  <p class="muted">
    {triedAt === null && say('It was not tried yet.')}
    {triedAt !== null &&
      (status === null
        ? say('There was no answer: {error}.', { error: error ?? say('it is being tried now') })
        : KEPT)}
  </p>
);
const KEPT = say('Only the newest 1,000 answers are kept, and this one is older.');

interface DetailsProps {
  readonly delivery: WebhookDelivery;
  /** Sends it again; `null`: the webhook is off. */
  readonly onAgain: (() => Promise<void>) | null;
  readonly onClose: () => void;
}

const Details = ({ delivery, onAgain, onClose }: DetailsProps) => {
  const { busy, fault, run } = useAction();
  const { event, tries, duration_ms: durationMs, tried_at: triedAt } = delivery;
  return (
    <Dialog title={meaningOf(event)} onClose={onClose}>
      <FactList
        facts={[
          [say('Event'), event],
          [say('Outcome'), outcomeOf(delivery)],
          [say('Last try'), triedAt && formatMoment(triedAt)],
          [say('Tries'), formatNumber(tries)],
          [say('Answered after'), durationMs !== null && say('{durationMs} ms', { durationMs })],
          ['webhook-id', delivery.id],
        ]}
      />
      <Listing title={say('What was sent')} text={sentOf(delivery)} />
      {delivery.answer === null ? (
        <NoAnswer of={delivery} />
      ) : (
        <Listing title={say('What your program answered')} text={answerOf(delivery)} />
      )}
      {fault && <Failure fault={fault} />}
      <div class="row">
        <Button disabled={busy || onAgain === null} onClick={() => onAgain && void run(onAgain)}>
          {say('Send again')}
        </Button>
        <Quiet onClick={onClose}>{say('Close')}</Quiet>
      </div>
    </Dialog>
  );
};

interface DeliveriesProps {
  /** That of the webhook. */
  readonly id: string;
  readonly isOn: boolean;
  /** Stand beside the heading once there are deliveries. */
  readonly actions: ComponentChildren;
}

/** Shows the deliveries of a webhook, newest first, each with what was sent and answered. */
export const Deliveries = ({ id, isOn, actions }: DeliveriesProps) => {
  const toast = useToast();
  const [shown, show] = useState<string | null>(null);
  const asked = { path: { id }, query: { limit: SHOWN } };
  const pages = usePages('/api/v1/webhooks/{id}/deliveries', asked, (deliveries) =>
    deliveries.every(({ state }) => state !== 'waiting'),
  );
  const sendAgain = async (delivery: string): Promise<void> => {
    const path = '/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver';
    await change(api.POST(path, { params: { path: { id, delivery } } }));
    toast({ text: say('It will be sent again.') });
  };
  // The one of the list, so that it follows what becomes of it.
  const delivery = pages.items.find((each) => each.id === shown);
  return (
    <>
      <header class="card-head">
        <h2>{say('Deliveries')}</h2>
        {pages.items.length > 0 && actions}
      </header>
      <PagedTable
        pages={pages}
        what={say('deliveries')}
        columns={[say('Event'), say('State'), say('Answer'), say('Tries'), say('Created')]}
        empty={
          <Empty title={say('Nothing has been sent yet.')}>
            <p>{say('Send a test to see what your program receives.')}</p>
          </Empty>
        }
        row={(each) => (
          <tr key={each.id}>
            <td title={meaningOf(each.event)}>{each.event}</td>
            <td>
              <DeliveryState {...each} />
            </td>
            <td class="muted wrap">{outcomeOf(each)}</td>
            <td class="number" data-unit={unitOf(each.tries, 'try', 'tries')}>
              {formatNumber(each.tries)}
            </td>
            <td class="muted">{formatMoment(each.created_at)}</td>
            <td class="end">
              <Button
                about={say('of {event} of {moment}', {
                  event: each.event,
                  moment: formatMoment(each.created_at),
                })}
                onClick={() => show(each.id)}
              >
                {say('Details')}
              </Button>
            </td>
          </tr>
        )}
      />
      {delivery && (
        <Details
          delivery={delivery}
          onAgain={isOn ? () => sendAgain(delivery.id) : null}
          onClose={() => show(null)}
        />
      )}
    </>
  );
};
