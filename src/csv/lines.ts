import { END_MARK } from './notes.ts';

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines at `\n` only, because JSON may contain the other Unicode line terminators. Empty lines are
 * left out. Throws a `TypeError` for bytes that are not UTF-8, and a `RangeError` for a line of more than `maxBytes`.
 *
 * @param onEmpty Called for each empty line. What it throws ends the reading.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  onEmpty: () => void = () => {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let parts: Buffer[] = [];
  let length = 0;

  const take = (): string => {
    const [only = Buffer.alloc(0), ...others] = parts;
    const text = decoder.decode(others.length === 0 ? only : Buffer.concat(parts, length));
    parts = [];
    length = 0;
    return text;
  };
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > maxBytes) throw new RangeError(`a line has more than ${maxBytes} bytes`);
    parts.push(part);
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      const isEmpty = at === from && length === 0;
      if (!isEmpty) add(chunk.subarray(from, at));
      from = at + 1;
      const line = isEmpty ? null : take();
      if (line !== null && line.trim() !== '') yield line;
      else onEmpty();
    }
    add(chunk.subarray(from));
  }
  const text = take();
  const rest = text.endsWith(END_MARK) ? text.slice(0, -1) : text;
  if (rest.trim() !== '') yield rest;
}
