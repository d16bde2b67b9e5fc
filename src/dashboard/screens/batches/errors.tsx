import { useState } from 'preact/hooks';
import type { Batch } from '../../api/shapes.ts';
import { BASE } from '../../base.ts';
import { count, number } from '../../ui/format.ts';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { readErrors } from './read-errors.ts';

const STEP = 50;

/** What a person does about the errors, by how the batch came to them. */
const adviceOf = ({ made, failed, state }: Batch): string => {
  if (made + failed > 0) return 'These rows were left out. The others are made.';
  return state === 'failed'
    ? 'Nothing was made and nothing was paid. Correct these rows in your file, and send it again.'
    : 'These rows are wrong. The others are still being checked.';
};

/** Shows the rows of a batch with errors, by their numbers in the file and the caller's own ids. */
export const RowErrors = ({ batch }: { readonly batch: Batch }) => {
  const { id, errors } = batch;
  const [max, setMax] = useState(STEP);
  const load = useLoad(
    async (signal) => (errors === 0 ? [] : readErrors(id, max, signal)),
    [id, errors, max],
  );
  if (errors === 0) return null;
  return (
    <Card
      title={count(errors, 'row with an error', 'rows with errors')}
      actions={
        <a
          class="button quiet"
          href={`${BASE}api/v1/batches/${id}/errors`}
          download={`batch-${id}-errors.ndjson`}
        >
          Download errors
        </a>
      }
    >
      <p class="muted">{adviceOf(batch)}</p>
      <Loaded load={load} what="the errors">
        {(found) => (
          <>
            <table class="table errors">
              <thead>
                <tr>
                  {['Row', 'Your id', 'Column', 'What is wrong'].map((name) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.map(({ row, id: own, field, message }) => (
                  <tr key={row}>
                    <td class="number" data-name="Row">
                      {number(row)}
                    </td>
                    <td class="wrap" data-name="Your id">
                      {own ?? <span class="muted">–</span>}
                    </td>
                    <td data-name="Column">
                      <code>{field}</code>
                    </td>
                    <td class="wrap">{message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {found.length === max && errors > max && (
              <button type="button" onClick={() => setMax(max + STEP)}>
                Show {number(Math.min(STEP, errors - max))} more
              </button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
};
