/** Decodes CSV files as spreadsheets save them: UTF-8, UTF-16 with a byte order mark, or Windows-1252. */

/** Says that bytes are in no supported encoding. */
export class EncodingFault extends Error {
  constructor() {
    super('is not UTF-8; save it as “CSV UTF-8”');
  }
}

/** The characters 0x80 to 0x9f of Windows-1252; spaces stand for the five undefined bytes. */
const HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/**
 * What does not occur in Windows-1252 text: undefined bytes, four or more non-ASCII letters in a row (other scripts
 * have whole words of them), and valid UTF-8 sequences.
 */
const NOT_1252 =
  /[\x81\x8d\x8f\x90\x9d]|[\x80-\xff]{4}|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

const LOOK_BACK = 3;

/** Decodes Windows-1252. Remembers the end of a chunk, so that chunk boundaries do not matter. */
const createReader1252 = () => {
  let before = '';
  return (bytes: Buffer): string => {
    const text = bytes.toString('latin1');
    if (NOT_1252.test(before + text)) throw new EncodingFault();
    before = (before + text).slice(-LOOK_BACK);
    return text.replace(/[\x80-\x9f]/g, (byte) => HIGH[byte.charCodeAt(0) - 0x80]!);
  };
};

/** Returns the length of an incomplete UTF-8 character at the end. */
const unendedBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return back < length ? back : 0;
  }
  return 0;
};

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/**
 * Decodes UTF-8. A file that is ASCII up to its first invalid UTF-8 byte is treated as Windows-1252, which spreadsheets
 * write on many machines.
 */
const createReader8 = () => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const read1252 = createReader1252();
  let isUtf8 = false;
  let is1252 = false;
  let open: Buffer = Buffer.alloc(0);
  return (chunk: Buffer, isLast: boolean): string => {
    const bytes = open.length === 0 ? chunk : Buffer.concat([open, chunk]);
    open = Buffer.alloc(0);
    if (is1252) return read1252(bytes);
    const end = bytes.length - (isLast ? 0 : unendedBytes(bytes));
    try {
      const text = decoder.decode(bytes.subarray(0, end));
      isUtf8 ||= !isAscii(text);
      open = bytes.subarray(end);
      return text;
    } catch {
      if (isUtf8) throw new EncodingFault();
      is1252 = true;
      return read1252(bytes);
    }
  };
};

const createReader16 = (label: 'utf-16le' | 'utf-16be') => {
  const decoder = new TextDecoder(label, { fatal: true });
  return (chunk: Buffer, isLast: boolean): string => {
    try {
      return decoder.decode(chunk, { stream: !isLast });
    } catch {
      throw new EncodingFault();
    }
  };
};

const readerFor = ([first, second]: Buffer) => {
  if (first === 0xff && second === 0xfe) return createReader16('utf-16le');
  if (first === 0xfe && second === 0xff) return createReader16('utf-16be');
  return createReader8();
};

/**
 * Yields the text of a file without its byte order mark.
 *
 * @throws {EncodingFault} for bytes in no supported encoding.
 */
export async function* decode(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let read: ReturnType<typeof readerFor> | null = null;
  let start: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of chunks) {
    const bytes: Buffer = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    start = read === null && bytes.length < 2 ? bytes : Buffer.alloc(0);
    if (start.length > 0) continue;
    read ??= readerFor(bytes);
    const text = read(bytes, false);
    if (text === '') continue;
    yield isFirst ? text.replace(/^\ufeff/, '') : text;
    isFirst = false;
  }
  const rest = (read ?? readerFor(start))(start, true);
  if (rest !== '') yield isFirst ? rest.replace(/^\ufeff/, '') : rest;
}
