import { failed } from '../../fault.ts';
import { MAX_ROW_BYTES, type Written } from '../written.ts';
import { readLines } from './lines.ts';

const parseLine = (text: string, line: number): Record<string, unknown> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failed(`line ${line} is not JSON`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw failed(`line ${line} is no JSON object`);
};

/**
 * Reads one bulk item a line, with the name of its file as `file`. What the fields hold is for the gateway to judge.
 *
 * @throws {CliFault} at a line that is no JSON object; a `TypeError` at bytes that are no UTF-8.
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
