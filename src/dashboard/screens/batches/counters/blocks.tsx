import { usePages } from '../../../api/query.ts';
import { toScreenPath } from '../../../base.ts';
import { formatMoment, formatNumber } from '../../../ui/format.ts';
import { Head, More } from '../../../ui/lists/paged-table.tsx';
import { Loaded } from '../../../ui/states.tsx';

const SHOWN = 25;

/** Shows which numbers a counter gave, and to which batches. */
export const Blocks = ({ name }: { readonly name: string }) => {
  const pages = usePages('/api/v1/counters/{name}/blocks', { path: { name }, query: { limit: SHOWN } });
  return (
    <Loaded load={pages} what="the numbers">
      {() =>
        pages.items.length === 0 ? (
          <p class="muted">No numbers have been given yet.</p>
        ) : (
          <>
            <table class="table">
              <Head columns={['Numbers', 'Used by', 'Codes made', 'Failed', 'Given']} />
              <tbody>
                {pages.items.map(({ first, last, batch_id, made, failed, at }) => (
                  <tr key={first}>
                    <td>
                      {formatNumber(first)} to {formatNumber(last)}
                    </td>
                    <td>
                      {batch_id === null ? 'Taken' : <a href={toScreenPath(`/batches/${batch_id}`)}>Batch</a>}
                    </td>
                    <td class="number" data-unit="made">
                      {made === null ? '–' : formatNumber(made)}
                    </td>
                    <td class="number" data-unit="failed">
                      {failed === null ? '–' : formatNumber(failed)}
                    </td>
                    <td class="muted">{formatMoment(at)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <More pages={pages} />
          </>
        )
      }
    </Loaded>
  );
};
