/** ZPL II, as Zebra's "ZPL II Programming Guide" describes it. */
import type { Bitmap } from './bitmap.ts';
import type { PrinterLanguage } from './language.ts';

/** A run of a digit has at most two letters: `g` to `z` for 20 to 400 and `G` to `Y` for 1 to 19. */
const RUN_MAX = 419;
const TENS = 20;
const [ONES_FROM, TENS_FROM] = ['G'.charCodeAt(0) - 1, 'g'.charCodeAt(0) - 1];
/** A shorter run is not shorter than its digits. */
const RUN_LEAST = 3;

const countOf = (count: number): string => {
  const [twenties, ones] = [Math.floor(count / TENS), count % TENS];
  return (
    (twenties === 0 ? '' : String.fromCharCode(TENS_FROM + twenties)) +
    (ones === 0 ? '' : String.fromCharCode(ONES_FROM + ones))
  );
};

const encodeRun = (digit: string, length: number): string => {
  let text = '';
  for (let left = length; left > 0; left -= RUN_MAX) {
    const count = Math.min(left, RUN_MAX);
    text += count < RUN_LEAST ? digit.repeat(count) : countOf(count) + digit;
  }
  return text;
};

/** What fills the rest of a row with a digit. */
const FILLS: Readonly<Record<string, string>> = { 0: ',', F: '!' };

/** Compresses a row of hexadecimal digits. */
const encodeRow = (digits: string): string => {
  const last = digits.at(-1)!;
  const fill = FILLS[last] ?? '';
  let end = digits.length;
  while (fill !== '' && digits[end - 1] === last) end -= 1;
  return (
    digits.slice(0, end).replace(/(.)\1{2,}/g, (run, digit: string) => encodeRun(digit, run.length)) + fill
  );
};

/**
 * Returns the rows of a bitmap in the compression of "Alternative Data Compression Scheme for ~DG and ~DB Commands";
 * `:` repeats the row above.
 */
export const encodeRows = ({ bytesPerRow, rows, bits }: Bitmap): string => {
  const buffer = Buffer.from(bits.buffer, bits.byteOffset, bits.byteLength);
  let text = '';
  for (let row = 0; row < rows; row += 1) {
    const from = row * bytesPerRow;
    const isRepeated =
      row > 0 && buffer.compare(buffer, from - bytesPerRow, from, from, from + bytesPerRow) === 0;
    text += isRepeated ? ':' : encodeRow(buffer.toString('hex', from, from + bytesPerRow).toUpperCase());
  }
  return text;
};

/**
 * Labels are one format each, between `^XA` and `^XZ`. `^LH` puts the origin of fields where the label begins, wherever
 * an earlier format left it.
 */
export const ZPL: PrinterLanguage = {
  begin: ({ widthDots, heightDots }) => `^XA\n^LH0,0\n^PW${widthDots}\n^LL${heightDots}\n`,
  at: (xDots, yDots) => `^FO${xDots},${yDots}`,
  encode: (bitmap) => {
    const bytes = bitmap.bits.length;
    return Buffer.from(`^GFA,${bytes},${bytes},${bitmap.bytesPerRow},${encodeRows(bitmap)}^FS\n`, 'latin1');
  },
  end: (copies) => `^PQ${copies}\n^XZ\n`,
};
