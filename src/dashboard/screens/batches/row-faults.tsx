/** The rows of a file with faults, of a batch or a link job. */
import { useState } from 'preact/hooks';
import { askRaw, BASE } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Button } from '../../ui/buttons.tsx';
import { formatNumber } from '../../ui/format.ts';
import { Head } from '../../ui/lists.tsx';
import { Card } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';

const STEP = 50;

interface RowFault {
  readonly row: number;
  /** Its row in the file; `null`: the fault is of no row. */
  readonly file_row: number | null;
  /** The caller's own id of the row. */
  readonly external_id: string | null;
  /** The short link of the row; absent in batches. */
  readonly slug?: string | null;
  readonly field: string;
  readonly message: string;
}

/** Returns the first faults, at most `max`. The rest of the answer is not read. @throws {Fault} */
export const readFaults = async (
  path: string,
  max: number,
  signal: AbortSignal,
): Promise<readonly RowFault[]> => {
  const { body } = await askRaw(path, { signal });
  if (body === null) return [];
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const faults: RowFault[] = [];
  let text = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    faults.push(...lines.map((line) => JSON.parse(line) as RowFault));
    if (done || faults.length >= max) break;
  }
  await reader.cancel();
  return faults.slice(0, max);
};

interface RowFaultsProps {
  readonly title: string;
  /** The call that answers with them. */
  readonly path: string;
  /** The name under which they are saved. */
  readonly file: string;
  readonly total: number;
  /** What to do about them. */
  readonly advice: string;
  /** What the rows are told apart by, besides their numbers. */
  readonly nameColumn: string;
}

/** Shows the first rows with faults, and more on demand. Shows nothing when there are none. */
export const RowFaults = ({ title, path, file, total, advice, nameColumn }: RowFaultsProps) => {
  const [max, setMax] = useState(STEP);
  const load = useRead(['faults', path, total, max], (signal) => readFaults(path, max, signal), {
    enabled: total > 0,
  });
  if (total === 0) return null;
  return (
    <Card
      title={title}
      actions={
        <a class="button quiet" href={`${BASE}${path}`} download={file}>
          {say('Download errors')}
        </a>
      }
    >
      <p class="muted">{advice}</p>
      <Loaded load={load} what={say('the errors')}>
        {(found) => (
          <>
            <table class="table errors">
              <Head columns={[say('Row'), nameColumn, say('Column'), say('What is wrong')]} />
              <tbody>
                {found.map(({ row, file_row: fileRow, external_id: own, slug = null, field, message }) => (
                  <tr key={row}>
                    <td class="number" data-name={say('Row')}>
                      {fileRow === null ? '–' : formatNumber(fileRow)}
                    </td>
                    <td class="wrap" data-name={nameColumn}>
                      {slug ?? own ?? <span class="muted">–</span>}
                    </td>
                    <td data-name={say('Column')}>
                      <code>{field}</code>
                    </td>
                    <td class="wrap">{message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {found.length === max && total > max && (
              <Button onClick={() => setMax(max + STEP)}>
                {say('Show {n} more', { n: Math.min(STEP, total - max) })}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
};
