import { api } from '../../api/client.ts';
import { change, usePages } from '../../api/query.ts';
import type { WebhookDelivery } from '../../api/shapes.ts';
import { Button } from '../../ui/buttons.tsx';
import { formatMoment, formatNumber } from '../../ui/format.ts';
import { PagedTable } from '../../ui/lists/paged-table.tsx';
import { Empty } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { DeliveryState, meaningOf } from './words.tsx';

const SHOWN = 25;

/** Says what came of the last try. */
const answerOf = ({ status, error, next_at }: WebhookDelivery): string => {
  const answer = status === null ? (error ?? 'not tried yet') : `HTTP ${status}`;
  return next_at === null ? answer : `${answer}, next try ${formatMoment(next_at)}`;
};

/** Shows the deliveries of a webhook, newest first, each with a button that sends it again. */
export const Deliveries = ({ id, isOn }: { readonly id: string; readonly isOn: boolean }) => {
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
          <td class="number" data-unit="tries">
            {formatNumber(delivery.tries)}
          </td>
          <td class="muted">{formatMoment(delivery.created_at)}</td>
          <td class="end">
            <Button
              disabled={!isOn}
              onClick={() =>
                void sendAgain(delivery.id).catch((error: Error) => toast({ text: error.message }))
              }
            >
              Send again
              <span class="hidden">
                {' '}
                {delivery.event} of {formatMoment(delivery.created_at)}
              </span>
            </Button>
          </td>
        </tr>
      )}
    />
  );
};
