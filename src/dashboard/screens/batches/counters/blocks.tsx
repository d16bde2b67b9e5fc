import { usePages } from '../../../api/query.ts';
import { screen } from '../../../base.ts';
import { formatMoment, number } from '../../../ui/format.ts';
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
          <p class="muted">No number was given yet.</p>
        ) : (
          <>
            <table class="table">
              <Head columns={['Numbers', 'Used by', 'Codes made', 'Failed', 'Given']} />
              <tbody>
                {pages.items.map(({ first, last, batch_id, made, failed, at }) => (
                  <tr key={first}>
                    <td>
                      {number(first)} to {number(last)}
                    </td>
                    <td>
                      {batch_id === null ? 'Taken' : <a href={screen(`/batches/${batch_id}`)}>Batch</a>}
                    </td>
                    <td class="number" data-unit="made">
                      {made === null ? '–' : number(made)}
                    </td>
                    <td class="number" data-unit="failed">
                      {failed === null ? '–' : number(failed)}
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
