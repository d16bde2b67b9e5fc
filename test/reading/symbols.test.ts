/** Finding every symbol of a picture, whatever the reader finds at a time. */
import fc from 'fast-check';
import t from 'tap';
import type { Corners, ZXingSymbol } from '../../src/reading/decoders.ts';
import type { Luma } from '../../src/reading/png.ts';
import { findSymbols, SYMBOLS_MAX } from '../../src/reading/symbols.ts';

const CELL_PX = 20;
const SIDE_PX = 10;

/** A square in a cell of a grid. */
const cornersAt = (column: number, row: number): Corners => {
  const [left, top] = [column * CELL_PX + 2, row * CELL_PX + 2];
  const [right, bottom] = [left + SIDE_PX, top + SIDE_PX];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
};

const symbolAt = (index: number, columns: number, text: string | null): ZXingSymbol => ({
  corners: cornersAt(index % columns, Math.floor(index / columns)),
  text,
  isGs1: false,
});

/** A black picture, in which a symbol is there until its middle is painted over. */
const pictureOf = (columns: number, rows: number): Luma => {
  const [widthPx, heightPx] = [columns * CELL_PX, rows * CELL_PX];
  return { widthPx, heightPx, data: new Uint8Array(widthPx * heightPx) };
};

const isThere = ({ data, widthPx }: Luma, { corners: [[left, top]] }: ZXingSymbol): boolean =>
  data[(top + SIDE_PX / 2) * widthPx + left + SIDE_PX / 2] === 0;

t.test('all symbols are found once, in rows, by a reader that finds a few at a time', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      async (columns, decodable, atATime) => {
        const symbols = decodable.map((isRead, i) => symbolAt(i, columns, isRead ? `code ${i}` : null));
        const luma = pictureOf(columns, Math.ceil(symbols.length / columns));
        const findAll = async (seen: Luma) => {
          const left = symbols.filter((symbol) => isThere(seen, symbol));
          const read = left.filter(({ text }) => text !== null).slice(-atATime);
          // It takes finder patterns of two neighbours for a symbol while there are any.
          const mixed = read.length > 0 ? [{ ...read[0]!, text: null }] : [];
          return [...left.filter(({ text }) => text === null), ...mixed, ...read];
        };
        t.strictSame(await findSymbols(findAll, luma), symbols);
      },
    ),
  );
});

t.test('a symbol that is read again although it was painted over counts once', async (t) => {
  const again = symbolAt(0, 1, 'again');
  t.strictSame(await findSymbols(async () => [again], pictureOf(1, 1)), [again]);
});

t.test('a picture may be empty, and one with too many symbols is not answered in part', async (t) => {
  t.strictSame(await findSymbols(async () => [], pictureOf(1, 1)), []);
  const columns = 32;
  const symbols = Array.from({ length: SYMBOLS_MAX + 1 }, (_, i) => symbolAt(i, columns, String(i)));
  const luma = () => pictureOf(columns, Math.ceil(symbols.length / columns));
  const finder = (all: readonly ZXingSymbol[]) => async (seen: Luma) =>
    all.filter((symbol) => isThere(seen, symbol)).slice(0, 255);
  t.equal(await findSymbols(finder(symbols), luma()), null);
  t.equal((await findSymbols(finder(symbols.slice(1)), luma()))!.length, SYMBOLS_MAX);
  const wrong = symbols.map((symbol) => ({ ...symbol, text: null }));
  t.equal(await findSymbols(async () => wrong, luma()), null);
});

t.test(
  'a symbol that leaves the picture, or lies aslant, is painted over as far as it is in it',
  async (t) => {
    const corners: Corners = [
      [-4.5, 6],
      [7, -5],
      [18.2, 6.5],
      [6, 17],
    ];
    const luma = pictureOf(1, 1);
    let tries = 0;
    const found = await findSymbols(
      async () => (tries++ === 0 ? [{ corners, text: 'x', isGs1: false }] : []),
      luma,
    );
    t.equal(found!.length, 1);
    const whiteAt = (x: number, y: number) => luma.data[y * CELL_PX + x] === 255;
    t.strictSame([whiteAt(7, 6), whiteAt(0, 6), whiteAt(7, 0), whiteAt(17, 6)], [true, true, true, true]);
    t.strictSame([whiteAt(0, 16), whiteAt(18, 0), whiteAt(19, 19)], [false, false, false]);
  },
);
