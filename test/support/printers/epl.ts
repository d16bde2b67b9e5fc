/** A printer of EPL2, written from Zebra's "EPL Programming Guide". It takes only commands that it can draw. */
import { blank, drawBits, numberIn, type Place, type PrintedLabel } from './label.ts';

const MOST = 65_535;

/** Prints labels. @param heightPx The length of the paper, which the printer measures. @throws {Error} */
export const printEpl = (bytes: Uint8Array, heightPx: number): readonly PrintedLabel[] => {
  const file = Buffer.from(bytes);
  const labels: PrintedLabel[] = [];
  let width: number | null = null;
  let graphics: (Place & { readonly bits: Uint8Array })[] | null = null;
  let at = 0;

  /** Returns the bytes up to a letter, as text. */
  const until = (letter: string): string => {
    const end = file.indexOf(letter, at);
    if (end < 0) throw new Error(`no ${JSON.stringify(letter)}`);
    const text = file.toString('latin1', at, end);
    at = end + 1;
    return text;
  };

  const readGraphic = (): Place & { readonly bits: Uint8Array } => {
    const [x, y, perRow, rows] = ['GW', '', '', ''].map((prefix) =>
      numberIn(until(',').slice(prefix.length), 0, MOST),
    ) as [number, number, number, number];
    const bits = Uint8Array.from(file.subarray(at, at + perRow * rows), (byte) => ~byte);
    at += bits.length;
    if (until('\n') !== '') throw new Error('more than a graphic');
    return { x, y, width: 8 * perRow, height: rows, bits };
  };

  while (at < file.length) {
    if (file.toString('latin1', at, at + 2) === 'GW') {
      if (graphics === null) throw new Error('GW before N');
      graphics.push(readGraphic());
      continue;
    }
    const line = until('\n');
    if (line === 'N') graphics = [];
    else if (line.startsWith('q')) width = numberIn(line.slice(1), 8, MOST);
    else if (line.startsWith('P')) {
      if (graphics === null || width === null) throw new Error('P before N and q');
      const page = blank(width, heightPx);
      for (const { bits, ...place } of graphics) drawBits(page, place, bits);
      labels.push({ ...page, copies: numberIn(line.slice(1), 1, MOST), graphics });
      graphics = null;
    } else if (line !== '') throw new Error(`${line.slice(0, 20)} is unknown`);
  }
  if (graphics !== null) throw new Error('a label that is not printed');
  return labels;
};
