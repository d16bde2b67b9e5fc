/** The modules of GS1 DataMatrix: ISO/IEC 16022 (ECC 200) with FNC1 in first position, as bwip-js makes them. */
import { createRequire } from 'node:module';
import type { Grid } from '../design/dots.ts';
import type { Fault } from '../protocol.ts';
import { messageOf, SEPARATOR } from '../symbol/gs1.ts';

type Writer = Pick<typeof import('bwip-js/node'), 'raw'>;

let writer: Writer | null = null;

/** Loads the writer at the first matrix of a thread: two megabytes, which most threads never need. */
const openWriter = (): Writer => {
  writer ??= createRequire(import.meta.url)('bwip-js/node') as Writer;
  return writer;
};

/** No character of GS1 data is a `^`. */
const FNC1 = '^FNC1';

/**
 * Square symbols only: a number of modules says their size. The separators are ours, since writers have lists of their own
 * of AIs that need none: Zint before 2.16 leaves it out after AI 235, and a reader takes what follows for its value.
 */
const optionsOf = (message: string) => ({
  bcid: 'datamatrix',
  text: FNC1 + message.replaceAll(SEPARATOR, FNC1),
  parsefnc: true,
  format: 'square',
});

/** The writer's names for a message that is longer than the largest symbol holds. */
const IS_TOO_LONG = /^bwipp\.datamatrix(?:InputTooLong|TooMuchData|NoValidSymbol)\b/;

/** Returns the modules of elements with their AIs in brackets; the fault `data` when no symbol holds so many. */
export const encodeMatrix = (elements: string): Grid | Fault => {
  try {
    const [symbol] = openWriter().raw(optionsOf(messageOf(elements)));
    const { pixs, pixx: size } = symbol as { readonly pixs: readonly number[]; readonly pixx: number };
    return { size, cells: Uint8Array.from(pixs) };
  } catch (error) {
    if (!IS_TOO_LONG.test(error instanceof Error ? error.message : String(error))) throw error;
    return { field: 'data', message: 'has more than the largest GS1 DataMatrix holds: leave elements out' };
  }
};
