/** Compares bodies by value: white space, escapes and the order of fields make no difference. */
import { createHash } from 'node:crypto';
import type { TimeSlices } from '../../time-slices.ts';

/** Characters hashed at once, unless one text is longer. */
const PIECE_CHARACTERS = 65_536;

/**
 * Yields a JSON value in pieces. The text is unambiguous, because each count ends with a mark that is not a digit. Deep
 * values cost no stack.
 */
function* writeValue(value: unknown): Generator<string, void> {
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') yield `"${next.length}:${next}`;
    else if (Array.isArray(next)) {
      yield `[${next.length},`;
      for (let at = next.length - 1; at >= 0; at -= 1) rest.push(next[at]);
    } else if (typeof next === 'object' && next !== null) {
      const names = Object.keys(next).sort();
      yield `{${names.length},`;
      for (const name of names.reverse()) rest.push(next[name as keyof typeof next], name);
    } else yield `${next},`;
  }
}

/** Returns a text that is the same for the same JSON value. */
export const canonicalOf = (value: unknown): string => [...writeValue(value)].join('');

/** Resolves with the SHA-256 of a JSON value, hexadecimal. A large one takes several turns of the event loop. */
export const hashValue = async (value: unknown, slices: TimeSlices): Promise<string> => {
  const hash = createHash('sha256');
  let piece = '';
  let isOver = slices.slice();
  for (const text of writeValue(value)) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    hash.update(piece);
    piece = '';
    if (!isOver()) continue;
    await slices.next();
    isOver = slices.slice();
  }
  return hash.update(piece).digest('hex');
};
