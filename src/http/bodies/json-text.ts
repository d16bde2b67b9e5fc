import { isAscii, isUtf8 } from 'node:buffer';
import { AppError } from '../../errors.ts';
import type { TimeSlices } from '../../execution/time-limits.ts';
import { decodeInPieces, type LongString, type Part, type Scan } from './json-parts.ts';

/** Bytes of all long strings with characters beyond ASCII, which no logo has. Their texts may take twice the memory. */
const FOREIGN_MAX_BYTES = 1024 * 1024;
/** Values put back between two looks at the clock. */
const PUT_BACK_AT_ONCE = 256;

/** Parses a JSON text; throws an `AppError` (400) when it is not acceptable. */
export type Parse = (text: string) => unknown;

/** Returns the 400 for a body that cannot be read. `message` follows "body: ". */
export const malformed = (message: string): AppError => new AppError('malformed_json', `body: ${message}`);

/** Parses the bytes of a body. @throws {AppError} 400 when they are not UTF-8, or `parse` refuses them. */
export const parseBytes = (bytes: Buffer, parse: Parse): unknown => {
  // Node would decode invalid bytes as U+FFFD, and the code would not have the caller's text.
  if (!isUtf8(bytes)) throw malformed('must be UTF-8');
  return parse(bytes.toString('utf8'));
};

const parsePart = ({ chunks }: Part, parse: Parse): unknown => parseBytes(Buffer.concat(chunks), parse);

/** Decodes long strings in slices of time. The bytes of each are dropped once it is decoded. */
const readLongStrings = async (strings: readonly LongString[], slices: TimeSlices): Promise<string[]> => {
  let foreignBytes = 0;
  let isOver = slices.slice();
  const texts: string[] = [];
  for (const string of strings) {
    if (typeof string === 'string') {
      texts.push(string);
      continue;
    }
    const bytes = Buffer.concat(string.splice(0));
    if (!isAscii(bytes)) foreignBytes += bytes.length;
    if (foreignBytes > FOREIGN_MAX_BYTES)
      throw new AppError(
        'invalid_body',
        'body: has a long text that is neither a logo nor short enough for a code',
      );
    let text = '';
    for (const piece of decodeInPieces(bytes)) {
      text += piece;
      if (!isOver()) continue;
      await slices.next();
      isOver = slices.slice();
    }
    texts.push(text);
  }
  return texts;
};

/** Replaces the marks of parts and long strings by their values. */
const putBack = async (
  root: unknown,
  { mark, parts }: Scan,
  values: readonly unknown[],
  texts: readonly string[],
  slices: TimeSlices,
): Promise<unknown> => {
  const top: Record<string, unknown> = { root };
  const waiting: object[] = [top];
  let isOver = slices.slice();
  let seen = 0;

  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value;
    if (typeof value !== 'object' || value === null) return value;
    const part = (value as Record<string, unknown>)[mark] as number | undefined;
    if (part === undefined) {
      waiting.push(value);
      return value;
    }
    const own = values[part];
    if (parts[part]!.hasLongStrings) waiting.push(own as object);
    return own;
  };

  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const fields = node as Record<string, unknown>;
    for (const key of Object.keys(fields)) {
      const value = fields[key];
      const resolved = resolve(value);
      if (resolved !== value) fields[key] = resolved;
      seen += 1;
    }
    if (seen < PUT_BACK_AT_ONCE || !isOver()) continue;
    await slices.next();
    isOver = slices.slice();
    seen = 0;
  }
  return top.root;
};

/**
 * Makes the value of a scanned text in short turns of the event loop. A thread would not help: receiving the value from
 * it would block the event loop for longer than parsing the bounded parts.
 *
 * @throws {AppError} 400 when the text is not JSON in UTF-8.
 */
export const assemble = async (scan: Scan, parse: Parse, slices: TimeSlices): Promise<unknown> => {
  await slices.next();
  let isOver = slices.slice();
  const root = parsePart(scan.root, parse);
  const values: unknown[] = [];
  for (const part of scan.parts) {
    if (isOver()) {
      await slices.next();
      isOver = slices.slice();
    }
    values.push(parsePart(part, parse));
  }
  if (scan.parts.length === 0 && scan.longStrings.length === 0) return root;
  const texts = await readLongStrings(scan.longStrings, slices).catch((error: unknown) => {
    throw error instanceof AppError ? error : malformed('must be valid JSON in UTF-8');
  });
  return putBack(root, scan, values, texts, slices);
};
