import { readLines } from '../../../csv/lines.ts';
import { BulkItem } from '../../../generate/request/request.ts';
import { failed } from '../../fault.ts';
import { MAX_ROW_BYTES, type Others, type Written } from '../written.ts';
import { slugFault } from './columns.ts';

const parseLine = (text: string, line: number): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failed(`line ${line} is not JSON`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw failed(`line ${line} is not a JSON object`);
};

const textsOf = (fields: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => typeof value !== 'object')
      .map(([name, value]) => [name, String(value)]),
  );

const knownOf = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(BulkItem.properties, name)));

/** Returns why the names of files cannot be taken. */
const faultOf = (names: Readonly<Record<string, unknown>>): string | null => {
  const [wrong] = Object.entries(names).filter(([, name]) => name !== undefined && typeof name !== 'string');
  return wrong === undefined ? null : `${wrong[0]}: must be text`;
};

/**
 * Reads one bulk item from each line. Its field `name` or `file` names the pictures; the gateway checks all other
 * fields, so that it refuses what is to be refused.
 *
 * @throws {CliFault} for a line that is not a JSON object; a `TypeError` for bytes that are not UTF-8.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Buffer>,
  others: Others = 'refused',
): AsyncGenerator<Written> {
  let line = 0;
  for await (const { text } of readLines(chunks, MAX_ROW_BYTES, 'take')) {
    line += 1;
    const { file, ...fields } = parseLine(text, line);
    const { name = file, ...rest } = fields;
    if (others === 'refused' && rest.slug !== undefined) throw slugFault(`line ${line}, field slug`);
    const item = others !== 'refused' ? knownOf(rest) : rest;
    const fault = faultOf({ file, name });
    const cells = textsOf(fields);
    yield {
      item,
      file: fault === null ? ((name as string | undefined) ?? null) : null,
      id: cells.id ?? null,
      cells,
      fault,
    };
  }
}
