/** EAN-13 and UPC-A: their bars, their digits and their sizes. */
import bwip from 'bwip-js/node';
import fc from 'fast-check';
import t from 'tap';
import { checkDigitOf } from '../../../src/gs1/check-digits.ts';
import { renderBarcode } from '../../../workers/barcode/draw.ts';
import { barsOf } from '../../../workers/barcode/ean.ts';
import type { BarcodeTask } from '../../../workers/barcode/protocol.ts';
import { textOf } from '../../support/pictures/print.ts';
import { DRAWN, drawnOf, pixelsOf, readBarcode, refusalOf, runsOf, sizeOfFile } from './support.ts';

const withCheck = (digits: string): string => digits + checkDigitOf(`${digits}0`);
const eans = fc.stringMatching(/^\d{12}$/).map(withCheck);
const upcs = fc.stringMatching(/^0[1-9]\d{10}$/).map(withCheck);
const EAN = '9521321000018';
const UPC = '0012345678905';

const task = (text: string, more: Partial<BarcodeTask> = {}): BarcodeTask => ({
  ...{ symbology: 'ean-13', text, format: 'png', size: {} },
  ...more,
});
const withText = (text: string, more: Partial<BarcodeTask> = {}) => task(text, { below: [text], ...more });
const upc = { symbology: 'upc-a' } as const;

t.test('the bars are those of bwip-js', async (t) => {
  fc.assert(
    fc.property(eans, (digits) => {
      const [made] = bwip.raw({ bcid: 'ean13', text: digits } as never) as unknown as [{ sbs: number[] }];
      const ends = barsOf(digits).flatMap(({ from, modules }) => [from, from + modules]);
      t.strictSame(
        ends.slice(1).map((end, i) => end - ends[i]!),
        [...made.sbs],
        digits,
      );
    }),
  );
});

t.test('readers read the digits in every format, with text and without', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        eans.map((digits) => task(digits)),
        upcs.map((digits) => task(digits, upc)),
      ),
      fc.boolean(),
      async (bare, hasText) => {
        const one = hasText ? { ...bare, below: [bare.text] } : bare;
        for (const format of ['png', 'svg'] as const) {
          const read = await readBarcode(await pixelsOf(drawnOf({ ...one, format }).bytes, format));
          t.equal(read, `]E0${one.text}`, `${one.symbology} ${format}`);
        }
      },
    ),
  );
  for (const one of [task(EAN), withText(EAN), withText(UPC, upc)]) {
    for (const format of ['pdf', 'eps'] as const) {
      const read = await readBarcode(await pixelsOf(drawnOf({ ...one, format }).bytes, format));
      t.equal(read, `]E0${one.text}`, `${one.symbology} ${format}`);
    }
  }
});

t.test('every file has the size that is asked for', async (t) => {
  for (const format of DRAWN) {
    for (const [size, width, module] of [
      [{ moduleMm: 0.33866666666, dpi: 300 }, 113 * 0.33867, 0.33867],
      [{ widthMm: 113 * 0.2116666666, dpi: 600 }, 113 * 0.21167, 0.21167],
      [{ widthMm: 40, dpi: 600, round: 'down' }, 113 * 0.33867, 0.33867],
    ] as const) {
      const { bytes, sizeMm } = drawnOf(withText(EAN, { format, size }));
      const [fileWidth, fileHeight] = await sizeOfFile(bytes, format);
      for (const value of [fileWidth, sizeMm.width])
        t.ok(Math.abs(value - width) < 0.02, `${format} ${value}`);
      t.ok(Math.abs(fileHeight - sizeMm.height) < 0.02, `${format} ${fileHeight}`);
      t.ok(Math.abs(sizeMm.module - module) < 1e-4);
    }
  }
  const { sizeMm } = drawnOf(task(EAN, { format: 'svg', size: { moduleMm: 0.33 } }));
  t.match(sizeMm, { width: 113 * 0.33, module: 0.33 });
  t.ok(Math.abs(sizeMm.height - 22.85) < 1e-6, 'the nominal height of bars');
});

t.test('for any size there is a file of that size, or a parameter is refused', async () => {
  fc.assert(
    fc.property(
      fc.record({
        mm: fc.double({ min: 0.1, max: 2, noNaN: true }),
        field: fc.constantFrom('moduleMm' as const, 'widthMm' as const),
        dpi: fc.constantFrom(72, 203, 300, 600, 1200),
        isRound: fc.boolean(),
        format: fc.constantFrom('png' as const, 'svg' as const),
      }),
      ({ mm, field, dpi, isRound, format }) => {
        const asked = field === 'moduleMm' ? mm : mm * 113;
        const size = { [field]: asked, dpi, ...(isRound && { round: 'down' as const }) };
        const drawn = renderBarcode(task(EAN, { format, size }));
        const name = field === 'moduleMm' ? 'module_mm' : 'width_mm';
        if (!drawn.ok) return drawn.fault.field === name && (isRound || format === 'png');
        const { width, module } = drawn.value.sizeMm!;
        const dots = (module * dpi) / 25.4;
        const isWhole = Math.abs(dots - Math.round(dots)) < 2e-3;
        if (isRound) return isWhole && width <= mm * 113 + 0.05 && module + 25.4 / dpi > mm;
        return Math.abs(width - mm * 113) < 0.05 && (isWhole || format === 'svg');
      },
    ),
    { numRuns: 500 },
  );
});

t.test(
  'in bitmaps each bar has the same whole dots a module, and the quiet zones are those of the symbology',
  async (t) => {
    for (const [one, left, right] of [
      [task(EAN), 11, 7],
      [task(UPC, upc), 9, 9],
      [task(EAN, { size: { quietZone: 12 } }), 12, 12],
    ] as const) {
      const print = await pixelsOf(drawnOf(one).bytes, 'png');
      t.ok(new Set(print.rgb).size === 2, 'black and white alone');
      const runs = runsOf(print, 5);
      t.ok(
        runs.every((dots) => dots % 4 === 0),
        '4 dots at 300 dpi are nearest to 0.33 mm',
      );
      t.strictSame([runs[0], runs.at(-1)], [4 * left, 4 * right]);
      t.equal(runs.slice(1, -1).reduce((sum, dots) => sum + dots) / 4, 95);
      t.strictSame(runs, runsOf(print, print.height - 1));
    }
    const wide = drawnOf(task(EAN, { size: { dpi: 203 } }));
    t.ok(Math.abs(wide.sizeMm.module - (3 * 25.4) / 203) < 1e-9);
  },
);

t.test(
  'digits stand below the bars, between longer guards, and not in the quiet zones of the bars',
  async (t) => {
    for (const [more, longer] of [
      [{}, [0, 2, 46, 48, 92, 94]],
      // The outer digits of 0 12345 67890 5 have bars of 1 and 2 modules.
      [upc, null],
    ] as const) {
      const one = withText(more === upc ? UPC : EAN, more);
      const print = await pixelsOf(drawnOf(one).bytes, 'png');
      const bars = Math.round((22.85 / 0.33) * 4);
      const darkIn = (row: number): readonly number[] => {
        const [left] = runsOf(print, 0);
        return runsOf(print, row).reduce<{ readonly at: number; readonly found: readonly number[] }>(
          ({ at, found }, dots, i) => ({
            at: at + dots,
            found: i % 2 === 1 ? [...found, (at - left!) / 4] : found,
          }),
          { at: 0, found: [] },
        ).found;
      };
      const guards = darkIn(bars + 1);
      if (longer !== null) t.strictSame(guards, longer);
      else
        t.strictSame(
          guards,
          barsOf(UPC)
            .map(({ from }) => from)
            .filter((at) => at < 10 || at >= 85 || (at >= 45 && at < 50)),
        );
      t.notSame(darkIn(bars + 8), guards, 'digits stand beside the guards');
      t.equal(Math.max(...print.rgb.subarray(0, 3)), 255);
    }
  },
);

t.test('the digits of a PDF can be copied in their groups', async (t) => {
  const words = async (one: BarcodeTask) =>
    (await textOf(drawnOf({ ...one, format: 'pdf' }).bytes)).trim().split(/\s+/).join(' ');
  t.equal(await words(withText(EAN)), '9 521321 000018');
  t.equal(await words(withText(UPC, upc)), '0 12345 67890 5');
  t.equal(await words(task(EAN)), '');
});

t.test('what cannot be printed is refused by the name of its parameter, with figures', async (t) => {
  for (const [one, field, message] of [
    [task(EAN, { size: { quietZone: 7 } }), 'quiet_zone', /must be at least 11 for EAN-13/],
    [task(UPC, { ...upc, size: { quietZone: 8 } }), 'quiet_zone', /must be at least 9 for UPC-A/],
    [
      task(EAN, { size: { moduleMm: 0.25, till: true } }),
      'module_mm',
      /0\.25 mm; tills need 0\.264 to 0\.66 mm: .* 29\.84 to 74\.58 mm wide/,
    ],
    [task(EAN, { size: { widthMm: 80, till: true } }), 'width_mm', /tills need 0\.264 to 0\.66 mm/],
    [
      task(EAN, { size: { moduleMm: 0.33 } }),
      'module_mm',
      /3\.898 dots a module at 300 dpi.*send 0\.254 or 0\.338667/,
    ],
    [task(EAN, { size: { widthMm: 37 } }), 'width_mm', /dots a module.*send 28\.702 or 38\.269333/],
    [task(EAN, { size: { moduleMm: 0.1, dpi: 72, round: 'down' } }), 'module_mm', /less than a dot a module/],
    [task(EAN, { size: { moduleMm: 10, dpi: 2400, round: 'down' } }), 'module_mm', /pixels a side/],
    [task(EAN, { format: 'pdf', size: { moduleMm: 50 } }), 'module_mm', /at most 5000 are drawn/],
    [
      withText(EAN, { format: 'pdf', size: { moduleMm: 0.1 } }),
      'text',
      /0\.80 mm below these bars, and they need 0\.90: .* at least 0\.113 mm/,
    ],
    [withText(UPC, { ...upc, format: 'pdf', size: { moduleMm: 0.15 } }), 'text', /at least 0\.177 mm/],
  ] as const)
    t.match(refusalOf(one), { field, message });
  for (const moduleMm of [0.264, 0.66])
    t.ok(drawnOf(task(EAN, { format: 'svg', size: { moduleMm, till: true } })));
  t.ok(drawnOf(withText(EAN, { format: 'pdf', size: { moduleMm: 0.113 } })));
});

t.test('the mark of a sandbox lies under the bars, which are read all the same', async (t) => {
  const [plain, marked] = [drawnOf(withText(EAN)), drawnOf(withText(EAN, { mark: 'test' }))];
  t.notSame(plain.bytes, marked.bytes);
  t.equal(await readBarcode(await pixelsOf(marked.bytes, 'png')), `]E0${EAN}`);
});
