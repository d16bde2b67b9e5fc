/** The pure parts of sheets: templates, places, captions. */

import fc from 'fast-check';
import t from 'tap';
import { CAPTION_NAMES, parseCaption, writeCaption } from '../../src/csv/caption.ts';
import {
  backgroundArea,
  cellAt,
  cropMarks,
  type Grid,
  labelArea,
  layEvenGrid,
  pagesFor,
} from '../../src/sheets/grid.ts';
import { layOutLabel, moduleMm } from '../../src/sheets/label.ts';
import type { SheetsRequest } from '../../src/sheets/request.ts';
import { resolveSheet } from '../../src/sheets/sheet.ts';
import { TEMPLATE_NAMES, TEMPLATES } from '../../src/sheets/templates.ts';
import { fitLines, MISSING, printableLines } from '../../workers/print/lines.ts';
import type { Area } from '../../workers/sheets/protocol.ts';
import { fewestOf } from '../support/cases.ts';
import { holds } from '../support/pictures/designs.ts';

const CLOSE_MM = 0.02;
/** Manufacturers round dimensions to tenths of a millimetre, and some margins to halves. */
const CENTRE_MM = 0.5;

t.test('there are at least twenty label templates of Avery, Herma and Zweckform', async (t) => {
  t.ok(TEMPLATE_NAMES.length >= 20);
  for (const maker of ['avery', 'herma', 'zweckform']) {
    t.ok(TEMPLATE_NAMES.filter((name) => name.startsWith(`${maker}-`)).length >= 8, maker);
  }
});

t.test('the labels of each template fit on the page, do not overlap, and are centred', async (t) => {
  for (const name of TEMPLATE_NAMES) {
    const grid: Grid = TEMPLATES[name];
    const { xMm, yMm, widthMm, heightMm } = labelArea(grid, {
      column: grid.columns - 1,
      row: grid.rows - 1,
    });
    const right = grid.widthMm - xMm - widthMm;
    const bottom = grid.heightMm - yMm - heightMm;
    t.ok(right >= -CLOSE_MM && bottom >= -CLOSE_MM, `${name} fits`);
    t.ok(grid.pitchXMm >= grid.labelWidthMm - CLOSE_MM, `${name}: columns`);
    t.ok(grid.pitchYMm >= grid.labelHeightMm - CLOSE_MM, `${name}: rows`);
    t.ok(Math.abs(right - grid.leftMm) <= CENTRE_MM, `${name}: left ${grid.leftMm}, right ${right}`);
    t.ok(Math.abs(bottom - grid.topMm) <= CENTRE_MM, `${name}: top ${grid.topMm}, bottom ${bottom}`);
    t.ok(resolveSheet({ template: name }).ok, `${name} has room for a code`);
    const withCaption = resolveSheet({ template: name, label: { caption: '{content}' } });
    t.ok(withCaption.ok, `${name} has room for a code with a caption`);
  }
});

t.test('a page is filled by rows or by columns, using each place once', async (t) => {
  const grid = layEvenGrid(
    { widthMm: 100, heightMm: 100 },
    { columns: 3, rows: 2, margin: [0, 0], gap: [0, 0] },
  );
  const order = (by: 'rows' | 'columns') =>
    [0, 1, 2, 3, 4, 5].map((place) => Object.values(cellAt(grid, by, place)).join(''));
  t.strictSame(order('rows'), ['00', '10', '20', '01', '11', '21']);
  t.strictSame(order('columns'), ['00', '01', '10', '11', '20', '21']);
  t.equal(pagesFor(grid, 6, 1), 1);
  t.equal(pagesFor(grid, 6, 2), 2);
  t.equal(pagesFor(grid, 13, 6), 3);
});

t.test('piles are of whole sheets, and bounded by their labels', async (t) => {
  const template = 'avery-5160';
  t.match(resolveSheet({ template, stack: 166 }), { ok: true, value: { stack: 166 } });
  t.match(resolveSheet({ template, stack: 167 }), {
    fault: { field: 'stack', message: 'must be at most 166 sheets, which have 4980 labels' },
  });
  t.match(resolveSheet({ template, stack: 2, start_at: 2 }), { fault: { field: 'start_at' } });
});

const grids = fc
  .record({
    widthMm: fc.double({ min: 50, max: 500, noNaN: true }),
    heightMm: fc.double({ min: 50, max: 500, noNaN: true }),
    columns: fc.integer({ min: 1, max: 8 }),
    rows: fc.integer({ min: 1, max: 12 }),
    margin: fc.tuple(
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.double({ min: 0, max: 20, noNaN: true }),
    ),
    gap: fc.tuple(fc.double({ min: 0, max: 9, noNaN: true }), fc.double({ min: 0, max: 9, noNaN: true })),
  })
  .map(({ widthMm, heightMm, ...label }) => layEvenGrid({ widthMm, heightMm }, label))
  .filter(({ labelWidthMm, labelHeightMm }) => Math.min(labelWidthMm, labelHeightMm) > 1);

t.test('an even grid fills its page except for margins and gaps', async (t) => {
  const length = fc.double({ min: 0, max: 20, noNaN: true });
  const lengths = fc.tuple(length, length);
  const count = fc.integer({ min: 1, max: 9 });
  const close = (one: number, other: number) => Math.abs(one - other) < 1e-6;
  holds(
    t,
    fc.property(count, count, lengths, lengths, (columns, rows, margin, gap) => {
      const page = { widthMm: 210, heightMm: 297 };
      const grid = layEvenGrid(page, { columns, rows, margin, gap });
      const at = (column: number, row: number) => labelArea(grid, { column, row });
      const [first, last, next] = [at(0, 0), at(columns - 1, rows - 1), at(1, 1)];
      return (
        close(first.xMm, margin[1]) &&
        close(first.yMm, margin[0]) &&
        close(last.xMm + last.widthMm, page.widthMm - margin[1]) &&
        close(last.yMm + last.heightMm, page.heightMm - margin[0]) &&
        close(next.xMm - first.xMm - first.widthMm, gap[1]) &&
        close(next.yMm - first.yMm - first.heightMm, gap[0])
      );
    }),
    200,
  );
});

const overlap = (a: Area, b: Area): boolean =>
  a.xMm + a.widthMm > b.xMm + 1e-6 &&
  b.xMm + b.widthMm > a.xMm + 1e-6 &&
  a.yMm + a.heightMm > b.yMm + 1e-6 &&
  b.yMm + b.heightMm > a.yMm + 1e-6;

const within = (inner: Area, outer: Area): boolean =>
  inner.xMm >= outer.xMm - 1e-6 &&
  inner.yMm >= outer.yMm - 1e-6 &&
  inner.xMm + inner.widthMm <= outer.xMm + outer.widthMm + 1e-6 &&
  inner.yMm + inner.heightMm <= outer.yMm + outer.heightMm + 1e-6;

const cellsOf = ({ columns, rows }: Grid) =>
  Array.from({ length: columns * rows }, (_, i) => ({ column: i % columns, row: Math.floor(i / columns) }));

t.test('a label with its bleed never overlaps another label', async (t) => {
  holds(
    t,
    fc.property(grids, fc.double({ min: 0, max: 20, noNaN: true }), (grid, bleedMm) => {
      const cells = cellsOf(grid);
      return cells.every((cell) => {
        const background = backgroundArea(grid, cell, bleedMm);
        return (
          within(labelArea(grid, cell), background) &&
          cells.every((other) => other === cell || !overlap(background, labelArea(grid, other)))
        );
      });
    }),
    100,
  );
});

t.test('crop marks are on the paper, outside all labels and their bleed', async (t) => {
  holds(
    t,
    fc.property(grids, fc.double({ min: 0, max: 8, noNaN: true }), (grid, bleedMm) => {
      const page = { xMm: 0, yMm: 0, widthMm: grid.widthMm, heightMm: grid.heightMm };
      return cropMarks(grid, bleedMm, 0).every(({ x1Mm, y1Mm, x2Mm, y2Mm }) => {
        const mark = { xMm: x1Mm, yMm: y1Mm, widthMm: x2Mm - x1Mm, heightMm: y2Mm - y1Mm };
        return (
          within(mark, page) &&
          cellsOf(grid).every((cell) => !overlap(mark, backgroundArea(grid, cell, bleedMm)))
        );
      });
    }),
    100,
  );
  const roll = resolveSheet({
    page: { width_mm: 60, height_mm: 40 },
    label: { columns: 1, rows: 1 },
    crop_marks: true,
    bleed_mm: 2,
  });
  t.ok(roll.ok && roll.value.marks.length === 8, 'a page with a single label has marks beside it');
  t.equal(roll.ok && roll.value.outsetMm, 6, 'the paper is larger to hold them');
});

t.test('code and caption fit in any label without overlapping each other', async (t) => {
  const label = fc.record({
    widthMm: fc.double({ min: 1, max: 300, noNaN: true }),
    heightMm: fc.double({ min: 1, max: 300, noNaN: true }),
    codeMm: fc.option(fc.double({ min: 4, max: 300, noNaN: true })),
    captionSide: fc.constantFrom('above' as const, 'below' as const, 'beside' as const),
    captionLines: fc.integer({ min: 0, max: 4 }),
  });
  let laidOut = 0;
  holds(
    t,
    fc.property(label, ({ widthMm, heightMm, ...content }) => {
      const layout = layOutLabel({ widthMm, heightMm }, content);
      if (!layout.ok) return /^label(\.code_mm)?$/.test(layout.fault.field);
      laidOut += 1;
      const { code, caption } = layout.value;
      const whole = { xMm: 0, yMm: 0, widthMm, heightMm };
      if (caption === null) return within(code, whole);
      const linesMm = caption.linesMax * caption.sizePt * 1.2 * (25.4 / 72);
      const isPlaced = within(code, whole) && within(caption, whole) && !overlap(code, caption);
      return isPlaced && caption.heightMm > linesMm - 1e-6;
    }),
    2000,
  );
  t.ok(laidOut > fewestOf(300), `${laidOut} were laid out`);
});

t.test('a code that is too large is refused with the largest size, which is then accepted', async (t) => {
  const label = { widthMm: 63.5, heightMm: 38.1 };
  const content = { captionSide: 'below', captionLines: 1 } as const;
  const refused = layOutLabel(label, { ...content, codeMm: 50 });
  const most = Number(/at most ([\d.]+)/.exec(refused.ok ? '' : refused.fault.message)?.[1]);
  t.ok(layOutLabel(label, { ...content, codeMm: most }).ok, String(most));
  t.notOk(layOutLabel(label, { ...content, codeMm: most + 0.02 }).ok);
});

t.test('invalid requests are refused with the name of the field', async (t) => {
  const fieldOf = (request: SheetsRequest): string => {
    const resolved = resolveSheet(request);
    return resolved.ok ? 'none' : resolved.fault.field;
  };
  const page = { size: 'A4' } as const;
  const cases: readonly (readonly [SheetsRequest, string])[] = [
    [{}, 'template'],
    [{ template: 'avery-l7160' }, 'none'],
    [{ template: 'toString' }, 'template'],
    [{ template: 'avery-l7160', page }, 'page'],
    [{ template: 'avery-l7160', label: { columns: 2 } }, 'label.columns'],
    [{ template: 'avery-l7160', label: { gap_mm: 2 } }, 'label.gap_mm'],
    [{ template: 'avery-l7160', start_at: 21 }, 'none'],
    [{ template: 'avery-l7160', start_at: 22 }, 'start_at'],
    [{ template: 'avery-l7160', label: { code_mm: 37 } }, 'label.code_mm'],
    [{ template: 'avery-l7160', label: { caption: '{nothing}' } }, 'label.caption'],
    [{ template: 'avery-l7160', label: { caption: 'a\nb\nc\nd\ne' } }, 'label.caption'],
    [{ page }, 'label.columns'],
    [{ page, label: { columns: 2 } }, 'label.rows'],
    [{ page, label: { columns: 2, rows: 2 } }, 'none'],
    [{ page: {}, label: { columns: 2, rows: 2 } }, 'page.width_mm'],
    [{ page: { width_mm: 50 }, label: { columns: 1, rows: 1 } }, 'page.height_mm'],
    [{ page: { size: 'A4', width_mm: 50 }, label: { columns: 1, rows: 1 } }, 'page.size'],
    [{ page, label: { columns: 2, rows: 2, margin_mm: 105 } }, 'label.margin_mm'],
    [{ page, label: { columns: 50, rows: 100 } }, 'label'],
  ];
  for (const [request, field] of cases) t.equal(fieldOf(request), field, JSON.stringify(request));
});

t.test('captions can show each field of a code', async (t) => {
  const caption = parseCaption('{index}: {content}\n{shelf}', [...CAPTION_NAMES, 'shelf']);
  if (!caption.ok) throw new Error(caption.fault);
  t.equal(caption.value.lines, 2);
  t.equal(
    writeCaption(caption.value, { index: '3', content: 'a\nb', shelf: 'A{index}' }),
    '3: a b\nA{index}',
  );
  t.equal(writeCaption(caption.value, {}), ': \n');
  t.match(parseCaption('{shelf}', CAPTION_NAMES), { ok: false, fault: /\{shelf\} is not known.*\{index\}/ });
});

const has = (character: string): boolean => /[\u0020-\u024f\u2026]/.test(character);
const text = (lines: readonly (readonly string[])[]): readonly string[] => lines.map((line) => line.join(''));

t.test('a hostile caption is reduced to its printable characters, and the others are named', async (t) => {
  const cases: readonly (readonly [string, readonly string[], missing?: string])[] = [
    ['plain', ['plain']],
    ['a\0b\x1b[31mc\x07', ['ab[31mc']],
    ['abc\u202egnp.exe\u202c \u2066x\u2069', ['abcgnp.exe x']],
    ['a\u0327\u0300l\u0334go\u0353', ['àlgo'], '\u0327\u0334\u0353'],
    ['e\u0301', ['é']],
    ['x\ufe0f', ['x']],
    ['smile \u{1f600}\u{1f469}\u200d\u{1f469}', [`smile ${MISSING.repeat(3)}`], '\u{1f600}\u{1f469}'],
    ['\u05e9\u05dc\u05d5\u05dd', [MISSING.repeat(4)], '\u05e9\u05dc\u05d5\u05dd'],
    ['lone \ud800 surrogate', [`lone ${MISSING} surrogate`], '\ufffd'],
    ['one\r\ntwo\u2028three\tfour  five', ['one', 'two', 'three four five']],
    ['  ', ['']],
  ];
  // The texts themselves would break the lines of the test report.
  for (const [given, expected, missing = ''] of cases) {
    const printable = printableLines(given, has);
    t.strictSame(text(printable.lines), expected, encodeURI(given.toWellFormed()));
    t.strictSame(printable.missing.join(''), missing, encodeURI(given.toWellFormed()));
    t.notOk(printable.isCut);
  }
  t.ok(printableLines('x'.repeat(2001), has).isCut);
});

t.test('captions are wrapped to the available width and lines, and nothing is lost unsaid', async (t) => {
  const widthOf = (character: string): number => (/[il.,]/.test(character) ? 0.3 : 0.6);
  const widthOfLine = (line: string): number =>
    [...line].reduce((sum, character) => sum + widthOf(character), 0);
  const spaceless = (lines: readonly string[]): string => lines.join('').replaceAll(' ', '');
  holds(
    t,
    fc.property(
      fc.array(fc.string({ maxLength: 30 }), { maxLength: 3 }).map((lines) => lines.join('\n')),
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.integer({ min: 1, max: 5 }),
      (caption, width, linesMax) => {
        const printable = printableLines(caption, has);
        const { lines, isCut } = fitLines(printable.lines, { width, linesMax }, widthOf);
        const isWhole = spaceless(lines) === spaceless(text(printable.lines));
        return (
          lines.length <= linesMax &&
          lines.every((line) => widthOfLine(line) <= width + 1e-9) &&
          isWhole === !isCut
        );
      },
    ),
    2000,
  );
  const fit = (caption: string, width: number, linesMax: number) =>
    fitLines(printableLines(caption, has).lines, { width, linesMax }, () => 1);
  const whole = (...lines: readonly string[]) => ({ lines, isCut: false });
  const cut = (...lines: readonly string[]) => ({ lines, isCut: true });
  t.strictSame(fit('abcdef', 6, 1), whole('abcdef'));
  t.strictSame(fit('abcdefg', 6, 1), cut('abcde…'));
  t.strictSame(fit('https://example.com/path', 14, 3), whole('https://', 'example.com/', 'path'));
  t.strictSame(fit('https://example.com/path', 14, 2), cut('https://', 'example.com/p…'));
  t.strictSame(fit('a very long first line\nsecond', 8, 2), cut('a very…', 'second'), 'each line fits');
  t.strictSame(fit('a\nb\nc', 8, 2), cut('a', 'b'));
  t.strictSame(fit('abc', 0.5, 2), cut());
});

t.test('a code is as large as possible in the label without overlapping its caption', async (t) => {
  const side = fc.double({ min: 6, max: 250, noNaN: true });
  const captionSide = fc.constantFrom('above', 'below', 'beside');
  holds(
    t,
    fc.property(
      side,
      side,
      captionSide,
      fc.integer({ min: 0, max: 4 }),
      (widthMm, heightMm, where, captionLines) => {
        const label = { widthMm, heightMm };
        const content = { captionSide: where, captionLines } as const;
        const laid = layOutLabel(label, { ...content, codeMm: null });
        if (!laid.ok)
          return laid.fault.field === 'label' && !layOutLabel(label, { ...content, codeMm: 4 }).ok;
        const { code, caption } = laid.value;
        const paddingMm = Math.min(1.5, 0.05 * Math.min(widthMm, heightMm));
        const inner = {
          xMm: paddingMm,
          yMm: paddingMm,
          widthMm: widthMm - 2 * paddingMm,
          heightMm: heightMm - 2 * paddingMm,
        };
        const most = code.widthMm;
        const isSame = layOutLabel(label, { ...content, codeMm: most });
        const isTooLarge = layOutLabel(label, { ...content, codeMm: most + 0.01 });
        const middle = (area: Area): readonly [number, number] => [
          area.xMm + area.widthMm / 2,
          area.yMm + area.heightMm / 2,
        ];
        const isCentred = (one: number, whole: number) => Math.abs(one - whole / 2) < 1e-6;
        const roomMm = [inner.widthMm - most, inner.heightMm - most - (caption?.heightMm ?? 0)];
        return (
          most >= 4 &&
          code.heightMm === most &&
          within(code, inner) &&
          isSame.ok &&
          !isTooLarge.ok &&
          isTooLarge.fault.message.includes(`at most ${most} `) &&
          (caption !== null) === captionLines > 0 &&
          (caption === null || (within(caption, inner) && !overlap(caption, code))) &&
          (caption?.align === 'left'
            ? isCentred(middle(code)[1], heightMm) &&
              Math.abs(caption.xMm - code.xMm - most - 1) < 1e-6 &&
              caption.widthMm >= 0.3 * widthMm - 1e-6
            : isCentred(middle(code)[0], widthMm) && Math.min(...roomMm) < 0.011) &&
          (caption === null || caption.align === 'left' || caption.yMm < code.yMm === (where === 'above'))
        );
      },
    ),
    500,
  );
});

t.test('the font size of a caption follows the shorter side, from 4.5 to 12 points', async (t) => {
  const sizes = [10, 30, 40, 60, 100].map((mm) => {
    const laid = layOutLabel(
      { widthMm: 2 * mm, heightMm: mm },
      { codeMm: null, captionSide: 'beside', captionLines: 1 },
    );
    return laid.ok ? laid.value.caption?.sizePt : null;
  });
  t.strictSame(sizes, [4.5, 6, 8, 12, 12]);
});

t.test('the module size is the code size divided by the modules with quiet zones', async (t) => {
  const sheet = resolveSheet({ template: TEMPLATE_NAMES[0]! });
  if (!sheet.ok) throw new Error('no sheet');
  const { widthMm } = sheet.value.label.code;
  t.equal(moduleMm(sheet.value, 25, { shape: 'square' }), widthMm / (25 + 8));
  t.equal(moduleMm(sheet.value, 25, { shape: 'circle' }), widthMm / (36 + 8), 'smaller in a circle');
});
