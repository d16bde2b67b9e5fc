/** The page's pure parts: what a file's rows become, and what a design's colours and modules are good for. */
import fc from 'fast-check';
import t from 'tap';
import { columnsOf } from '../../src/csv/columns.ts';
import {
  BLACK,
  contrastRatio,
  parseCanvasColor,
  WHITE,
  worstContrast,
} from '../../src/dashboard/screens/designer/colors/contrast.ts';
import { change, read, toFieldFault } from '../../src/dashboard/screens/designer/draft.ts';
import {
  contrastHint,
  cornersHint,
  logoHint,
  moduleSizeHint,
  overall,
  quietZoneHint,
  REPAIRS,
} from '../../src/dashboard/screens/designer/hints.ts';
import { asCode, toCurl } from '../../src/dashboard/screens/designer/make/as-code.ts';
import {
  outcomesOf,
  readGrades,
  toBatches,
  withoutRefused,
} from '../../src/dashboard/screens/import/run/batches.ts';
import { readCsv } from '../../src/dashboard/screens/import/table/read-csv.ts';
import { createRowCheck } from '../../src/dashboard/screens/import/table/rows.ts';
import type { Schema } from '../../src/dashboard/screens/import/table/schema.ts';
import { imageTag } from '../../src/dashboard/screens/keys/image-tag.ts';
import { BulkItem } from '../../src/generate/request/request.ts';

const schema = BulkItem as unknown as Schema;
const known = columnsOf(schema);
const formats = { 'css-color': (text: string) => /^(#[\da-f]{6}|red)$/i.test(text) };

const importRows = (text: string) => {
  const table = readCsv(text, known);
  if (!table.ok) return table.fault;
  const check = createRowCheck(table.value.columns, schema, formats);
  return table.value.rows.map(check);
};
const faultsOf = (text: string) => {
  const rows = importRows(text);
  return typeof rows === 'string' ? rows : rows.map(({ fault }) => fault);
};

t.test('a row becomes an item; dots in column names make inner fields', async (t) => {
  const gradient = '{"colorStops":[{"offset":0,"color":"red"}]}';
  const rows = importRows(
    `data;dynamic;file;width;dotsOptions.type;dotsOptions.gradient\nhttps://a.example/;yes;a;300;rounded;"${gradient.replaceAll('"', '""')}"`,
  );
  t.match(rows, [
    {
      number: 1,
      file: 'a',
      fault: null,
      item: {
        data: 'https://a.example/',
        dynamic: true,
        width: 300,
        dotsOptions: { type: 'rounded', gradient: JSON.parse(gradient) },
      },
    },
  ]);
});

t.test('any text survives a quoted cell', async () => {
  const cell = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (texts) => {
      const rows = importRows(
        `data,file\n${texts.map((text) => `"${text.replaceAll('"', '""')}",x`).join('\r\n')}`,
      );
      return Array.isArray(rows) && rows.every(({ item }, index) => item.data === texts[index]);
    }),
  );
});

t.test('faults of a file or a row are named', async (t) => {
  t.match(importRows(''), /header row/);
  t.match(importRows('data'), /no rows below/);
  t.match(importRows('data,colour\nx,y'), /“colour”/);
  t.match(importRows('data,data\nx,y'), /twice/);
  t.match(importRows('width\n300'), /no column “data”/);
  t.match(importRows('data\n"x'), /not valid CSV/);
  const faults: readonly (readonly [string, RegExp | null])[] = [
    ['data\n" "', /data: must not be empty/],
    ['data,width\nx,49', /width: must be 50 or more/],
    ['data,width\nx,50', null],
    ['data,width\nx,2001', /width: must be 2000 or less/],
    ['data,width\nx,60.5', /width: must be integer/],
    ['data,width\nx,wide', /width: must be a number/],
    ['data,dynamic\nx,perhaps', /dynamic: must be true or false/],
    ['data,dynamic\nmailto:a@b.example,true', /http or https/],
    ['data,shape\nx,star', /shape: must be one of square, circle/],
    ['data,dotsOptions.color\nx,blau', /dotsOptions.color: is not a CSS colour/],
    ['data,dotsOptions\nx,{', /dotsOptions: must be JSON/],
    ['data,dotsOptions\nx,"{""foo"":1}"', /dotsOptions.foo: is unknown/],
    ['data,dotsOptions.gradient\nx,{}', /colorStops: is missing/],
    ['data,file\nx', /has 1 cells/],
  ];
  for (const [text, fault] of faults) {
    const found = faultsOf(text)[0];
    if (fault === null) t.equal(found, null, text);
    else t.match(found, fault, text);
  }
});

t.test('the grades of a batch are read by their places', async (t) => {
  t.strictSame(readGrades('4, none, 0'), [4, null, 0]);
  t.strictSame(readGrades('3'), [3]);
  t.strictSame(readGrades(null), [null]);
});

t.test('batches contain every accepted row once and in order', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 350 }), fc.nat(), (count, pick) => {
      const rows = importRows(`data\n${Array.from({ length: count }, (_, i) => `x${i}`).join('\n')}`);
      if (typeof rows === 'string') return false;
      const [first, ...rest] = toBatches(rows, 'r');
      const index = pick % first!.rows.length;
      const fewer = withoutRefused(first!, `items.${index}.width: must be <= 2000`)!;
      const batches = [fewer, ...rest].map((batch) => ({
        ...batch,
        answer: {
          success: true as const,
          results: batch.rows.map(() => ({ success: true, data: 'data:' })),
          meta: { total: 0, successful: 0, usage_count: 0, remaining: 0, folder_id: '' },
        },
        grades: batch.rows.map(({ number }) => number % 5),
      }));
      const outcomes = outcomesOf(batches);
      const failed = outcomes.filter(({ error }) => error !== null);
      return (
        outcomes.every(({ row }, at) => row.number === at + 1) &&
        outcomes.every(({ row, grade, error }) => grade === (error === null ? row.number % 5 : null)) &&
        outcomes.length === count &&
        failed.length === 1 &&
        failed[0]!.row.number === index + 1 &&
        fewer.idempotencyKey !== first!.idempotencyKey &&
        batches.every((batch) => batch.rows.length <= 100)
      );
    }),
  );
});

t.test('contrast is computed as WCAG does', async (t) => {
  t.equal(contrastRatio(BLACK, WHITE), 21);
  const grey = parseCanvasColor('#767676')!;
  t.ok(Math.abs(contrastRatio(grey, WHITE) - 4.54) < 0.01, 'the grey that just passes AA');
  t.match(worstContrast([WHITE], [BLACK]), { ratio: 21, inverted: true });
  t.match(worstContrast([BLACK, grey], [WHITE]).ratio, contrastRatio(grey, WHITE));
  t.equal(worstContrast([BLACK, WHITE], [grey]).inverted, true, 'one light colour of several is enough');
  t.equal(worstContrast([grey], [WHITE, BLACK]).inverted, true, 'and so is one dark background');
  t.equal(worstContrast([BLACK, grey], [WHITE]).inverted, false);
  t.equal(
    worstContrast([parseCanvasColor('rgba(0, 0, 0, 0)')!], [WHITE]).ratio,
    1,
    'what is not there is not seen',
  );
  const channel = fc.integer({ min: 0, max: 255 });
  const color = fc.record({ red: channel, green: channel, blue: channel, alpha: fc.constant(1) });
  fc.assert(
    fc.property(color, color, (a, b) => {
      const ratio = contrastRatio(a, b);
      return ratio >= 1 && ratio <= 21.0001 && ratio === contrastRatio(b, a);
    }),
  );
});

t.test('hints are graded by what readers need', async (t) => {
  t.equal(contrastHint({ ratio: 21, inverted: false }).grade, 'good');
  t.equal(contrastHint({ ratio: 21, inverted: true }).grade, 'careful');
  t.equal(contrastHint({ ratio: 2, inverted: false }).grade, 'bad');
  t.equal(contrastHint(null).grade, 'careful');
  t.equal(quietZoneHint(4).grade, 'good');
  t.equal(quietZoneHint(3.9).grade, 'careful');
  t.equal(quietZoneHint(0).grade, 'bad');
  // 600 px wide, 12 px a module: 0.4 mm a module on 20 mm.
  t.equal(moduleSizeHint(12, 600, 20).grade, 'good');
  t.match(moduleSizeHint(12, 600, 10), { grade: 'bad', text: /20 mm wide or more/ });
  t.equal(moduleSizeHint(12, 600, Number.NaN).grade, 'careful');
  const dotted = { dotsOptions: { type: 'dots' } } as const;
  const whole = { type: 'square' } as const;
  t.equal(cornersHint({}).grade, 'good');
  t.equal(cornersHint(dotted).grade, 'careful');
  t.equal(cornersHint({ ...dotted, cornersSquareOptions: whole }).grade, 'careful', 'the centre is dotted');
  t.equal(
    cornersHint({ ...dotted, cornersSquareOptions: whole, cornersDotOptions: whole }).grade,
    'good',
    'both have a type of their own',
  );
  for (const [level, repairs] of Object.entries(REPAIRS) as ['L' | 'M' | 'Q' | 'H', number][]) {
    t.equal(logoHint({ logoCover: 0, level }).grade, 'good');
    t.equal(logoHint({ logoCover: repairs * 0.4, level }).grade, 'good');
    t.equal(logoHint({ logoCover: repairs, level }).grade, 'careful');
    t.equal(logoHint({ logoCover: repairs + 0.01, level }).grade, 'bad');
  }
  t.equal(overall([quietZoneHint(4), quietZoneHint(0), quietZoneHint(3)]), 'bad');
});

t.test('a field reads back what was set, and removing it leaves nothing behind', async (t) => {
  const path = fc.constantFrom('width', 'dotsOptions.color', 'dotsOptions.gradient.type', 'qrOptions.mode');
  fc.assert(
    fc.property(path, fc.string(), (field, value) => {
      const set = change({ data: 'x' }, field, value);
      const taken = change(set, field, undefined);
      return read(set, field) === value && JSON.stringify(taken) === '{"data":"x"}';
    }),
  );
  const stops = { data: 'x', dotsOptions: { gradient: { colorStops: [{ offset: 0, color: 'red' }] } } };
  t.equal(
    read(
      change(stops, 'dotsOptions.gradient.colorStops.0.color', 'blue'),
      'dotsOptions.gradient.colorStops.0.color',
    ),
    'blue',
  );
  t.equal(stops.dotsOptions.gradient.colorStops[0]!.color, 'red', 'the one before is untouched');
  t.strictSame(toFieldFault('items.0.dotsOptions.color: is none'), {
    path: 'dotsOptions.color',
    message: 'is none',
  });
  t.equal(toFieldFault('no field here'), null);
});

t.test('no content escapes from its quotes in the curl command and the image tag', async (t) => {
  const { path, json } = asCode({ request: { data: `it's` }, dynamic: true }, 'F');
  t.strictSame(
    [path, JSON.parse(json)],
    ['qr/bulk', { folderName: 'F', items: [{ data: `it's`, dynamic: true }] }],
  );
  t.match(toCurl('https://a.example/', path, json), `it'\\''s`);
  fc.assert(
    fc.property(fc.string(), (content) => {
      const tag = imageTag('https://a.example/', {
        key: 'k',
        content,
        widthPx: 300,
        dark: '#000000',
        light: '#ffffff',
      });
      return /^<img src="[^"<>]*" width="300" height="300" alt="[^"<>]*">$/s.test(tag);
    }),
  );
});
