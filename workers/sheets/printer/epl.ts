/** EPL2, as Zebra's "EPL Programming Guide" describes it. */
import type { PrinterLanguage } from './language.ts';

const BYTE_DOTS = 8;

/**
 * `N` empties the image buffer, after a line end that ends whatever was sent before. The length of labels and the gap
 * between them stay those that the printer has measured: `Q` sets both at once, and a page does not say the gap.
 */
export const EPL: PrinterLanguage = {
  begin: ({ widthDots }) => `\nN\nq${Math.ceil(widthDots / BYTE_DOTS) * BYTE_DOTS}\n`,
  at: (xDots, yDots) => `GW${xDots},${yDots},`,
  encode: ({ bytesPerRow, rows, bits }) =>
    // In a graphic of `GW` a dot of 0 is black.
    Buffer.concat([
      Buffer.from(`${bytesPerRow},${rows},`, 'latin1'),
      bits.map((byte) => ~byte),
      Buffer.from('\n', 'latin1'),
    ]),
  end: (copies) => `P${copies}\n`,
};
