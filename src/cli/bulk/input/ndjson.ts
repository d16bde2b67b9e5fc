import { readLines } from '../../../csv/lines.ts';
import { createNotes, nextFileRow, noteEmptyRows } from '../../../csv/notes.ts';
import { commandError } from '../../fault.ts';
import { itemOf, MAX_ROW_BYTES, type Others, type Written } from './columns.ts';

const parseLine = (text: string, line: number): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw commandError(`line ${line} is not JSON`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw commandError(`line ${line} is not a JSON object`);
};

const textsOf = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'object' ? [] : [[name, String(value)]],
    ),
  );

/**
 * Reads one bulk item from each line. Its field `name` or `file` names the pictures; validation of all other fields is
 * left to the gateway.
 *
 * @throws {CliFault} for a line that is not a JSON object; a `TypeError` for bytes that are not UTF-8.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  others: Others,
  notes = createNotes(),
): AsyncGenerator<Written> {
  let rows = 0;
  notes.encoding = 'utf-8';
  const noteEmpty = (): void => noteEmptyRows(notes, rows);
  for await (const text of readLines(chunks, MAX_ROW_BYTES, noteEmpty)) {
    const line = nextFileRow(notes, rows);
    rows += 1;
    const { file, ...fields } = parseLine(text, line);
    const { name = file, ...rest } = fields;
    const cells = textsOf(fields);
    const row = {
      item: itemOf(rest, others),
      externalId: cells.external_id ?? null,
      cells,
      fileRow: line,
    };
    const [wrong] = Object.entries({ file, name }).filter(
      ([, value]) => value !== undefined && typeof value !== 'string',
    );
    yield wrong === undefined
      ? { ...row, file: typeof name === 'string' ? name : null, fault: null }
      : { ...row, file: null, fault: `${wrong[0]}: must be text` };
  }
}
