/** A line of a file. */
export interface Line {
  readonly text: string;
  /** Position after its line end, in bytes from the start. */
  readonly endByte: number;
}

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines at `\n` only, because JSON may contain the other characters that end lines elsewhere. Empty
 * lines are left out. Throws a `TypeError` for bytes that are not UTF-8, and a `RangeError` for a line of more than
 * `maxBytes`.
 *
 * @param unended Whether to take or drop what follows the last line end. Bytes that are dropped are not decoded.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number,
  unended: 'take' | 'drop',
): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let endByte = 0;

  const take = (): Line => {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts, length));
    parts = [];
    length = 0;
    return { text, endByte };
  };
  const add = (part: Buffer): void => {
    length += part.length;
    endByte += part.length;
    if (length > maxBytes) throw new RangeError(`a line has more than ${maxBytes} bytes`);
    parts.push(part);
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      endByte += 1;
      const line = take();
      if (line.text.trim() !== '') yield line;
    }
    add(chunk.subarray(from));
  }
  if (unended === 'drop') return;
  const rest = take();
  if (rest.text.trim() !== '') yield rest;
}
