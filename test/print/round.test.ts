/** Sizes in millimetres, rounded down to whole dots. */
import fc from 'fast-check';
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { RANGES } from '../../workers/print/dots.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import { isFault } from '../../workers/protocol.ts';
import { holds } from '../support/pictures/designs.ts';

const DESIGN = toDesign({});
/** Modules of the symbol of `text` with its quiet zone. */
const SIDE = 21 + 2 * 4;
const layOut = (size: Parameters<typeof layOutPrint>[2], kind: 'bitmap' | 'vector' = 'bitmap') =>
  layOutPrint('1', DESIGN, size, kind);

t.test('a rounded picture is the largest one of whole dots within its width', async (t) => {
  const { minimum } = RANGES.width_mm;
  const sizes = fc.record({
    widthMm: fc.double({ min: minimum, max: 100, noNaN: true }),
    dpi: fc.constantFrom(72, 203, 300, 600, 1200),
    kind: fc.constantFrom('bitmap' as const, 'vector' as const),
  });
  holds(
    t,
    fc.property(sizes, ({ widthMm, dpi, kind }) => {
      const dotMm = 25.4 / dpi;
      const laid = layOut({ widthMm, dpi, round: 'down' }, kind);
      if (isFault(laid)) return widthMm < SIDE * dotMm || widthMm > 4096 * dotMm;
      const { page } = laid;
      return page.widthMm <= widthMm + 1e-3 && page.widthMm + SIDE * dotMm > widthMm;
    }),
  );
});

t.test('a size of whole dots, and a vector that is not to be rounded, stays as it is', async (t) => {
  t.match(layOut({ moduleMm: 0.508, dpi: 300, round: 'down' }), { page: { widthMm: SIDE * 0.508 } });
  t.match(layOut({ moduleMm: 0.508, dpi: 300 }), { page: { widthMm: SIDE * 0.508 } });
  t.match(layOut({ moduleMm: 0.5 }, 'vector'), { page: { widthMm: SIDE * 0.5 } });
  t.match(layOut({ widthMm: 30, dpi: 300 }), { field: 'width_mm' }, 'without it, other sizes are refused');
});

t.test('a quiet zone of half modules has whole dots too', async (t) => {
  const laid = layOut({ moduleMm: 0.6, dpi: 300, quietZone: 1.5, round: 'down' });
  t.match(laid, { design: { widthPx: 24 * 6 } });
});

t.test('what is rounded to modules that are too small for tills is refused', async (t) => {
  // 203 dots an inch: 3 are 0.375 mm, 4 are 0.5 mm.
  t.match(layOut({ moduleMm: 0.45, dpi: 203, till: true, round: 'down' }), { field: 'module_mm' });
  t.match(layOut({ moduleMm: 0.55, dpi: 203, till: true, round: 'down' }), { page: {} });
});
