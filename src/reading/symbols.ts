/** Finds every symbol in a picture of prints. Runs in a reading thread. */
import type { Corners, Point, ZXingSymbol } from './decoders.ts';
import type { Luma } from './png.ts';

/** Symbols of one picture. A sheet of labels has 24 to 65. */
export const SYMBOLS_MAX = 500;

/** What is in a picture; `null`: more than `SYMBOLS_MAX` symbols. */
export type FoundSymbols = readonly ZXingSymbol[] | null;

const centreOf = (corners: Corners): Point => [
  corners.reduce((sum, [x]) => sum + x, 0) / 4,
  corners.reduce((sum, [, y]) => sum + y, 0) / 4,
];

/** Whether a point is inside: on the same side of each edge. */
const isInside = ([x, y]: Point, corners: Corners): boolean => {
  const sides = corners.map(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % 4]!;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  });
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
};

/** Returns the first and last x of a symbol in a row. */
const spanAt = (corners: Corners, y: number): readonly [from: number, to: number] => {
  const xs = corners.flatMap(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % 4]!;
    if (y < Math.min(ay, by) || y > Math.max(ay, by)) return [];
    return ay === by ? [ax, bx] : [ax + ((y - ay) / (by - ay)) * (bx - ax)];
  });
  return [Math.min(...xs), Math.max(...xs)];
};

const paintOver = ({ data, widthPx, heightPx }: Luma, corners: Corners): void => {
  const ys = corners.map(([, y]) => y);
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  for (let y = Math.max(0, Math.ceil(top)); y <= Math.min(heightPx - 1, bottom); y += 1) {
    const [from, to] = spanAt(corners, y);
    const start = Math.max(0, Math.floor(from));
    const end = Math.min(widthPx, Math.ceil(to) + 1);
    if (start < end) data.fill(255, y * widthPx + start, y * widthPx + end);
  }
};

/** Returns the symbols that lie elsewhere than those known, and than each other. */
const elsewhere = (symbols: readonly ZXingSymbol[], known: readonly ZXingSymbol[]): ZXingSymbol[] => {
  const others: ZXingSymbol[] = [];
  for (const symbol of symbols) {
    const centre = centreOf(symbol.corners);
    if (![...known, ...others].some(({ corners }) => isInside(centre, corners))) others.push(symbol);
  }
  return others;
};

/** Returns symbols in rows from the top, each from the left. A row may lie aslant by half the height of its first symbol. */
const inReadingOrder = (symbols: readonly ZXingSymbol[]): readonly ZXingSymbol[] => {
  const rows: { readonly endPx: number; readonly symbols: (readonly [xPx: number, ZXingSymbol])[] }[] = [];
  const placed = symbols.map((symbol) => ({ symbol, centre: centreOf(symbol.corners) }));
  for (const { symbol, centre } of placed.sort((a, b) => a.centre[1] - b.centre[1])) {
    const [x, y] = centre;
    const heights = symbol.corners.map(([, cornerY]) => Math.abs(cornerY - y));
    if (y >= (rows.at(-1)?.endPx ?? 0)) rows.push({ endPx: y + Math.max(...heights), symbols: [] });
    rows.at(-1)!.symbols.push([x, symbol]);
  }
  return rows.flatMap((row) => row.symbols.sort(([a], [b]) => a - b).map(([, symbol]) => symbol));
};

/**
 * Finds the symbols of a picture, from top to bottom. What was read is painted over, and the rest is read again until
 * nothing more is: ZXing tries only so many combinations of finder patterns, and what is left last cannot be decoded.
 *
 * @param luma Is painted over.
 */
export const findSymbols = async (
  findAll: (luma: Luma) => Promise<readonly ZXingSymbol[]>,
  luma: Luma,
): Promise<FoundSymbols> => {
  const read: ZXingSymbol[] = [];
  for (;;) {
    const seen = await findAll(luma);
    const decoded = elsewhere(
      seen.filter(({ text }) => text !== null),
      read,
    );
    if (decoded.length === 0) {
      const all = [...read, ...elsewhere(seen, read)];
      return all.length > SYMBOLS_MAX ? null : inReadingOrder(all);
    }
    read.push(...decoded);
    if (read.length > SYMBOLS_MAX) return null;
    for (const { corners } of decoded) paintOver(luma, corners);
  }
};
