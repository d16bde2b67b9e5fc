import { readLines } from '../../../csv/lines.ts';
import { failed } from '../../fault.ts';
import { MAX_ROW_BYTES, type Written } from '../written.ts';

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

/**
 * Reads one bulk item from each line. Its field `file` names the picture; the gateway checks all other fields.
 *
 * @throws {CliFault} for a line that is not a JSON object; a `TypeError` for bytes that are not UTF-8.
 */
export async function* readNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Written> {
  let line = 0;
  for await (const { text } of readLines(chunks, MAX_ROW_BYTES, 'take')) {
    line += 1;
    const { file, ...item } = parseLine(text, line);
    if (file === undefined || typeof file === 'string') yield { item, file: file ?? null, fault: null };
    else yield { item, file: null, fault: 'file: must be text' };
  }
}
