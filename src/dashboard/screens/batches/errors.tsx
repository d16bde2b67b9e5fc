import { useState } from 'preact/hooks';
import { askRaw } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import type { Batch } from '../../api/shapes.ts';
import { BASE } from '../../base.ts';
import { Button } from '../../ui/buttons.tsx';
import { count, formatNumber } from '../../ui/format.ts';
import { Head } from '../../ui/lists/paged-table.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';

const STEP = 50;

/** What is wrong with a row of a batch. */
interface RowError {
  readonly row: number;
  /** Its row in the file; `null`: the fault is of no row. */
  readonly file_row: number | null;
  /** The caller's own id of the row. */
  readonly external_id: string | null;
  readonly field: string;
  readonly message: string;
}

/** Returns the first errors of a batch, at most `max`. The rest of the answer is not read. @throws {Fault} */
const readErrors = async (
  batchId: string,
  max: number,
  signal: AbortSignal,
): Promise<readonly RowError[]> => {
  const { body } = await askRaw(`api/v1/batches/${batchId}/errors`, { signal });
  if (body === null) return [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const errors: RowError[] = [];
  let text = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    errors.push(...lines.map((line) => JSON.parse(line) as RowError));
    if (done || errors.length >= max) break;
  }
  await reader.cancel();
  return errors.slice(0, max);
};

/** What to do about the errors, by the state of the batch. */
const adviceOf = ({ made, failed, state }: Batch): string => {
  if (made + failed > 0) return 'These rows were left out. All others were made.';
  return state === 'failed'
    ? 'Nothing was made or charged. Correct these rows in your file, and send it again.'
    : 'These rows are wrong. The others are still being checked.';
};

/** Shows the rows of a batch with errors, by their numbers in the file and the caller's own ids. */
export const RowErrors = ({ batch }: { readonly batch: Batch }) => {
  const { id, errors } = batch;
  const [max, setMax] = useState(STEP);
  const load = useRead(['errors', id, errors, max], (signal) => readErrors(id, max, signal), {
    enabled: errors > 0,
  });
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
              <Head columns={['Row', 'Your id', 'Column', 'What is wrong']} />
              <tbody>
                {found.map(({ row, file_row: fileRow, external_id: own, field, message }) => (
                  <tr key={row}>
                    <td class="number" data-name="Row">
                      {fileRow === null ? '–' : formatNumber(fileRow)}
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
              <Button onClick={() => setMax(max + STEP)}>
                Show {formatNumber(Math.min(STEP, errors - max))} more
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
};

/** Says how many rows of a batch repeat an earlier one. */
export const Duplicates = ({ batch: { id, duplicates } }: { readonly batch: Batch }) =>
  duplicates === 0 ? null : (
    <p class="muted">
      {count(duplicates, 'row repeats an earlier row', 'rows repeat an earlier row')}:{' '}
      <a href={`${BASE}api/v1/batches/${id}/duplicates`} download={`batch-${id}-duplicates.ndjson`}>
        download the list
      </a>
      .
    </p>
  );
