/** The rules for text below a picture and for tills, tested on layouts. */
import fc from 'fast-check';
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { type PrintSize, TILL, tillModuleMm } from '../../workers/print/dots.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import { isFault } from '../../workers/protocol.ts';
import { fitSymbol } from '../../workers/symbol/fit.ts';

const ADVANCE_EM = 0.5419;
const DIGIT_EM = 0.729;
const design = toDesign({});
const content = fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme-ascii' });
const parts = fc.array(fc.string({ minLength: 4, maxLength: 94, unit: 'grapheme-ascii' }), {
  minLength: 1,
  maxLength: 6,
});
const kind = fc.constantFrom('vector' as const, 'bitmap' as const);
const size = fc.record({
  moduleMm: fc.integer({ min: 1, max: 20 }).map((dots) => (dots * 25.4) / 300),
  quietZone: fc.integer({ min: 0, max: 6 }),
  bleedMm: fc.integer({ min: 0, max: 5 }),
});
const modulesOf = (text: string): number => {
  const symbol = fitSymbol(text, design.symbol);
  if (isFault(symbol)) throw new Error(symbol.message);
  return symbol.moduleCount;
};

t.test('a canvas has whole pixels for every quiet zone', (t) => {
  const text = 'Thirty letters are a version 3.';
  const moduleMm = 25.4 / 30;
  for (let tenths = 0; tenths <= 200; tenths += 1) {
    const laid = layOutPrint(text, design, { quietZone: tenths / 10, moduleMm }, 'bitmap');
    if (isFault(laid)) throw new Error(laid.message);
    if (laid.design.widthPx !== 290 + 2 * tenths) throw new Error(`${tenths}: ${laid.design.widthPx}`);
  }
  t.end();
});

t.test('text is complete and centred below the quiet zone, in a readable size', async (t) => {
  let laidOut = 0;
  fc.assert(
    fc.property(content, parts, size, kind, (text, parts, size, kind) => {
      const plain = layOutPrint(text, design, size, kind);
      const laid = layOutPrint(text, design, size, kind, { parts });
      if (isFault(plain) || isFault(laid)) return;
      laidOut += 1;
      const { around, page } = laid;
      const [block] = around!.texts;
      const letterPx = block!.sizePx * ADVANCE_EM;
      const { mmPerPx, bleedPx } = page;
      const side = plain.design.widthPx - 2 * bleedPx;
      const [middle, bottom] = [bleedPx + side / 2, bleedPx + side];
      let above = bottom;
      for (const { text: line, xPx, baselinePx } of block!.lines) {
        const right = xPx + line.length * letterPx;
        if (Math.abs((xPx + right) / 2 - middle) > 0.1) throw new Error('not centred');
        if (xPx < bleedPx - 0.1 || right > bleedPx + side + 0.1) throw new Error('wider than the picture');
        if (baselinePx - 0.77 * block!.sizePx < above) throw new Error('touches the line above');
        above = baselinePx + 0.236 * block!.sizePx;
      }
      if (above > bottom + block!.heightPx) throw new Error('touches the line below');
      const broken = block!.lines.map((line) => line.text).join('');
      const ends = new Set(parts.map((_, i) => parts.slice(0, i + 1).join('').length));
      const lineEnds = block!.lines.map(
        (_, i) =>
          block!.lines
            .slice(0, i + 1)
            .map((l) => l.text)
            .join('').length,
      );
      if (broken !== parts.join('') || !lineEnds.every((end) => ends.has(end))) throw new Error('broken');
      if (block!.sizePx * DIGIT_EM * mmPerPx < 0.899) throw new Error('too small');
      // The code is the same as without text.
      if (JSON.stringify(laid.design) !== JSON.stringify(plain.design)) throw new Error('changed');
      if (Math.abs(page.heightMm - plain.page.heightMm - block!.heightPx * mmPerPx) > 1e-9)
        throw new Error('the page has another height');
    }),
    { numRuns: 500 },
  );
  t.ok(laidOut > 20, `${laidOut} layouts`);
});

t.test('text that does not fit is refused with the width that would fit', async (t) => {
  let refused = 0;
  fc.assert(
    fc.property(content, parts, size, (text, parts, { moduleMm, quietZone }) => {
      const laid = layOutPrint(text, design, { moduleMm: moduleMm / 4, quietZone }, 'vector', { parts });
      if (!isFault(laid) || laid.field !== 'text') return;
      refused += 1;
      const [, digits, needed, width] = /digits of ([\d.]+) mm .* need ([\d.]+): .* least ([\d.]+) mm/.exec(
        laid.message,
      )!;
      if (Number(digits) > Number(needed)) throw new Error(laid.message);
      const wide = { widthMm: Number(width), quietZone };
      if (isFault(layOutPrint(text, design, wide, 'vector', { parts })))
        throw new Error(`${width} is too small`);
      const narrow = { widthMm: Number(width) - 0.05, quietZone };
      if (!isFault(layOutPrint(text, design, narrow, 'vector', { parts })))
        throw new Error(`${width} is too large`);
    }),
    { numRuns: 500 },
  );
  t.ok(refused > 10, `${refused} refusals`);
});

t.test('for tills the module size is the number of whole dots that is nearest to 0.495 mm', async (t) => {
  t.equal(tillModuleMm(300).toFixed(3), '0.508');
  t.equal(tillModuleMm(203).toFixed(4), '0.5005');
  const isNearest = (dpi: number): boolean => {
    const moduleMm = tillModuleMm(dpi);
    const dots = (moduleMm * dpi) / 25.4;
    const missOf = (mm: number): number => Math.abs(mm - TILL.targetMm);
    const others = [dots - 1, dots + 1].map((count) => (count * 25.4) / dpi);
    return (
      Math.abs(dots - Math.round(dots)) < 1e-9 &&
      moduleMm >= TILL.leastMm &&
      moduleMm <= TILL.mostMm &&
      others.every((mm) => mm < TILL.leastMm || missOf(mm) >= missOf(moduleMm) - 1e-9) &&
      !isFault(layOutPrint('tills', design, { till: true, dpi }, 'bitmap'))
    );
  };
  const all = Array.from({ length: 2400 - 72 + 1 }, (_, i) => 72 + i);
  t.strictSame(
    all.filter((dpi) => !isNearest(dpi)),
    [],
  );
});

t.test('tills refuse module sizes out of range, and name the allowed widths', async () => {
  const asked = fc.oneof(
    fc.double({ min: 0.1, max: 2, noNaN: true }).map((moduleMm): PrintSize => ({ moduleMm })),
    fc.double({ min: 5, max: 80, noNaN: true }).map((widthMm): PrintSize => ({ widthMm })),
  );
  fc.assert(
    fc.property(content, asked, (text, asked) => {
      const side = modulesOf(text) + 8;
      const moduleMm = asked.moduleMm ?? asked.widthMm! / side;
      const laid = layOutPrint(text, design, { ...asked, till: true }, 'vector');
      if (!isFault(laid)) return moduleMm > 0.3959 && moduleMm < 0.9901;
      if (moduleMm > 0.3961 && moduleMm < 0.9899) return false;
      const [, ...widths] =
        /tills need 0\.396 to 0\.99 mm: print this code ([\d.]+) to ([\d.]+) mm wide/.exec(laid.message)!;
      return widths.every(
        (widthMm) => !isFault(layOutPrint(text, design, { widthMm: Number(widthMm), till: true }, 'vector')),
      );
    }),
    { numRuns: 500 },
  );
});

t.test('tills need a square symbol with a quiet zone of four modules', async (t) => {
  const faultOf = (options: object, size: PrintSize) =>
    layOutPrint('tills', toDesign(options), { till: true, ...size }, 'vector');
  t.strictSame(faultOf({}, { quietZone: 3.5 }), {
    field: 'quiet_zone',
    message: 'must be at least 4 for tills',
  });
  t.strictSame(faultOf({ shape: 'circle' }, {}), { field: 'shape', message: 'must be square for tills' });
  t.notOk(isFault(faultOf({}, { quietZone: 6 })));
});
