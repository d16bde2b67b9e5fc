/** Properties of any rows of a batch: which of them are invalid, in either format, and how two designs are merged. */
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import t from 'tap';
import { readRowLines } from '../../src/batches/receive/lines.ts';
import { Unreadable } from '../../src/batches/receive/table.ts';
import { createRowReader, createRowSteps } from '../../src/batches/rows/row.ts';
import { BatchRow, isParsable } from '../../src/batches/rows/schema.ts';
import { createLogoFinder } from '../../src/batches/work/entries.ts';
import { createNotes } from '../../src/csv/notes.ts';
import { mergeOptions } from '../../src/generate/request/options.ts';
import { PictureOptions } from '../../src/generate/request/picture-options.ts';
import { createCheck } from '../../src/http/schemas/validation.ts';
import { BUSY, type FoundLogo } from '../../src/logo/outcome.ts';
import { ok, refused } from '../../src/result.ts';

const isImageSource = (image: string): boolean => image.startsWith('https://');
const checkRow = createCheck(BatchRow, isImageSource);
const checkDesign = createCheck(PictureOptions, isImageSource);
const links = {
  checkDestination: (text: string) =>
    URL.canParse(text) && text.startsWith('https:') ? ok(new URL(text).href) : refused('must be a URL'),
};

const readAll = async (body: string, format: 'csv' | 'ndjson', design: object = {}) => {
  // Wherever the chunks end, the rows are the same.
  const bytes = Buffer.from(body);
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += 61) yield bytes.subarray(at, at + 61);
  };
  const read = createRowReader(
    { checkRow, links },
    { format, design, counters: {}, uniqueColumn: null, domain: null },
    () => 0,
  );
  const rows = [];
  for await (const line of readRowLines(chunks(), {
    format,
    encoding: format === 'csv' ? 'utf-8' : null,
    notes: createNotes(),
  }))
    rows.push(read(line.text, rows.length + 1));
  return rows;
};

/** Characters with a meaning in one of the formats, and others. */
const text = fc
  .array(fc.constantFrom(...'ab",;\t\n\r\\{}[]:=é漢😀 \u2028\u0000', 'https://example.com/'), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => `x${parts.join('')}`);
const oneLine = fc.constantFrom('1', 'order 7', '"', 'a;b', "'=1+1", 'ü', '..', '__proto__');

const colour = fc.constantFrom('red', '#00ff00', 'rgb(1 2 3)');
const valid = fc.record(
  {
    data: text,
    external_id: oneLine,
    name: oneLine,
    tags: fc.uniqueArray(fc.constantFrom('new', 'a, b', "'=1+1", 'ü', '"'), { minLength: 1, maxLength: 3 }),
    width: fc.integer({ min: 50, max: 2000 }),
    margin: fc.integer({ min: 0, max: 20 }),
    dotsOptions: fc.record(
      { color: colour, type: fc.constantFrom('square', 'dots') },
      { requiredKeys: ['color'] },
    ),
  },
  { requiredKeys: ['data'] },
);
/** A row that both formats can express, and the field that is wrong in it. */
const wrong = fc.constantFrom(
  { row: { data: 'a', width: 1 }, field: 'width' },
  // A row without any text would be left out.
  { row: { data: ' ', width: 400 }, field: 'data' },
  { row: { data: '', width: 400 }, field: 'data' },
  { row: { data: 'x'.repeat(5000) }, field: 'data' },
  { row: { data: 'ftp://example.com', dynamic: true }, field: 'data' },
  { row: { data: 'a', dotsOptions: { color: 'no colour' } }, field: 'dotsOptions.color' },
  { row: { data: 'a', qrOptions: { errorCorrectionLevel: 'X' } }, field: 'qrOptions.errorCorrectionLevel' },
  { row: { data: 'a', name: 'x'.repeat(201) }, field: 'name' },
  { row: { data: 'a', tags: ['b', 'b'] }, field: 'tags.1' },
  { row: { data: 'a', tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, field: 'tags' },
);
const wrongWithId = fc
  .tuple(wrong, fc.option(oneLine, { nil: undefined }))
  .map(([{ row, field }, id]) => ({ row: id === undefined ? row : { ...row, external_id: id }, field }));
const mixed = fc.array(
  fc.oneof(
    valid.map((row) => ({ row: row as Record<string, unknown>, field: null })),
    wrongWithId.map(({ row, field }) => ({ row: row as Record<string, unknown>, field })),
  ),
  { minLength: 1, maxLength: 20 },
);

const toNdjson = (rows: readonly Record<string, unknown>[]): string =>
  rows.map((row) => JSON.stringify(row)).join('\n');

const flat = (row: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, string][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, cell]) => [`${name}.${inner}`, String(cell)])
        : [[name, Array.isArray(value) ? value.join(' ; ') : String(value)]],
    ),
  );

/** With two columns, because a line with one empty cell is an empty line. */
const toCsv = (rows: readonly Record<string, unknown>[]): string => {
  const cells = rows.map(flat);
  const columns = [...new Set(['data', 'external_id', ...cells.flatMap((row) => Object.keys(row))])];
  return stringify([columns, ...cells.map((row) => columns.map((name) => row[name] ?? ''))], {
    quoted: true,
    escape_formulas: false,
  });
};

t.test('a row names its external_id in full; a column may be called id', async (t) => {
  const [refusal] = await readAll('{"data":"a","id":"A"}', 'ndjson');
  t.match(refusal, { fault: { field: 'id', message: /^is not a known field: .* external_id$/ } });
  for (const column of ['external_id', 'External ID', 'id', 'ID', 'Reference'])
    t.match(await readAll(`data,${column}\na,A\n`, 'csv'), [{ value: { externalId: 'A' } }], column);
  await t.rejects(readAll('data,external_id,id\na,A,B\n', 'csv'), {
    message: /a column "id" that is not a field/,
  });
  await t.rejects(readAll('data,id,ref\na,A,B\n', 'csv'), { message: /can both be external_id/ });
});

t.test("exactly the invalid rows have errors, with their numbers and the caller's ids", async () => {
  await fc.assert(
    fc.asyncProperty(mixed, fc.constantFrom('csv', 'ndjson'), async (rows, format) => {
      const written = rows.map(({ row }) => row);
      const read = await readAll(format === 'csv' ? toCsv(written) : toNdjson(written), format);
      const found = read.map((result, index) =>
        result.ok
          ? { row: result.value.row, id: result.value.externalId, field: null }
          : { row: index + 1, id: result.fault.externalId, field: result.fault.field },
      );
      const expected = rows.map(({ row, field }, index) => ({
        row: index + 1,
        id: row.external_id ?? null,
        field,
      }));
      if (JSON.stringify(found) !== JSON.stringify(expected))
        throw new Error(`${JSON.stringify(found)} is not ${JSON.stringify(expected)}`);
    }),
    { numRuns: 100 },
  );
});

t.test('CSV and NDJSON of the same rows make the same codes, whatever the design for all rows', async () => {
  const base = fc.record(
    { width: fc.constant(400), dotsOptions: fc.record({ color: colour }) },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(valid, { minLength: 1, maxLength: 10 }), base, async (rows, design) => {
      const [fromCsv, fromNdjson] = await Promise.all([
        readAll(toCsv(rows), 'csv', design),
        readAll(toNdjson(rows), 'ndjson', design),
      ]);
      if (JSON.stringify(fromCsv) !== JSON.stringify(fromNdjson))
        throw new Error(`${JSON.stringify(fromCsv)} is not ${JSON.stringify(fromNdjson)}`);
    }),
    { numRuns: 100 },
  );
});

t.test('the design makes rows dynamic that do not say it themselves', async (t) => {
  const csv = 'data,dynamic,slug\nhttps://a.example,,one\nhttps://b.example,no,\nb,,\n';
  const destinations = async (design: object) =>
    (await readAll(csv, 'csv', design)).map((read) => (read.ok ? read.value.destination : read.fault.field));
  t.strictSame(await destinations({ dynamic: true }), ['https://a.example/', null, 'data']);
  for (const design of [{}, { dynamic: false }])
    t.strictSame(await destinations(design), ['slug', null, null]);
});

t.test('a row that was checked reads the same without another check', (t) => {
  const batch = { format: 'ndjson', design: {}, counters: {}, uniqueColumn: null, domain: null } as const;
  const { parseRow, parseChecked } = createRowSteps({ checkRow, links }, batch);
  fc.assert(
    fc.property(valid, (row) => {
      const text = JSON.stringify(row);
      const [checked, again] = [parseRow(text), parseChecked(text)];
      return checked.ok && JSON.stringify(checked) === JSON.stringify(again);
    }),
  );
  t.end();
});

const gradient = fc.constant({ colorStops: [{ offset: 0, color: 'red' }] });
const options = fc.record(
  {
    width: fc.integer({ min: 50, max: 2000 }),
    image: fc.constant('https://example.com/logo.png'),
    qrOptions: fc.record({ errorCorrectionLevel: fc.constantFrom('L', 'H') }, { requiredKeys: [] }),
    dotsOptions: fc.record({ color: colour, gradient, type: fc.constant('dots') }, { requiredKeys: [] }),
    backgroundOptions: fc.record({ color: colour, gradient }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<PictureOptions>;

type Fields = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

t.test('a row overrides the design for all rows field by field, and a paint as a whole', async () => {
  fc.assert(
    fc.property(options, options, (base, own) => {
      const before = JSON.stringify([base, own]);
      const merged = mergeOptions(base, own) as Fields;
      const fault = checkDesign(structuredClone(merged));
      if (fault !== null) throw new Error(`${fault.field} ${fault.message}`);
      if (JSON.stringify([base, own]) !== before) throw new Error('merging changes what it merges');
      for (const name of new Set([...Object.keys(base), ...Object.keys(own)])) {
        const [b, o, m] = [base as Fields, own as Fields, merged].map((from) => from[name]);
        if (o === undefined || typeof o !== 'object' || b === undefined) {
          if (JSON.stringify(m) !== JSON.stringify(o ?? b)) throw new Error(`${name} is neither of both`);
          continue;
        }
        const repaints = 'color' in o || 'gradient' in o;
        const kept = Object.entries(b).filter(
          ([key]) => !(repaints && (key === 'color' || key === 'gradient')),
        );
        const expected = { ...Object.fromEntries(kept), ...o };
        for (const key of new Set([...Object.keys(expected), ...Object.keys(m!)]))
          if (JSON.stringify(m![key]) !== JSON.stringify(expected[key])) throw new Error(`${name}.${key}`);
      }
    }),
    { numRuns: 500 },
  );
});

t.test('merging with nothing, or with the same design, changes nothing', async (t) => {
  fc.assert(
    fc.property(options, (one) => {
      t.same(mergeOptions(one, {}), one);
      t.same(mergeOptions({}, one), one);
      t.same(mergeOptions(one, one), one);
    }),
    { numRuns: 50 },
  );
});

t.test('a text is parsed with as many values as a valid row has, not with many more', async (t) => {
  const stops = Array.from({ length: 64 }, (_, i) => ({ offset: i / 64, color: 'rgb(1, 2, 3)' }));
  const paint = { color: 'red', gradient: { type: 'linear', rotation: 0, colorStops: stops } };
  const largest = {
    data: 'x'.repeat(4296),
    image: `data:image/png;base64,${'A'.repeat(1_900_000)}`,
    dotsOptions: paint,
    cornersSquareOptions: paint,
    cornersDotOptions: paint,
    backgroundOptions: paint,
  };
  t.ok(isParsable(JSON.stringify(largest, null, 1)));
  t.ok(isParsable(`"${'[,:{'.repeat(100_000)}\\""`), 'characters inside strings do not count');
  t.notOk(isParsable('['.repeat(33)));
  t.ok(isParsable('[]'.repeat(33)));
  t.notOk(isParsable(`[${'0,'.repeat(100_000)}0]`));
  t.notOk(isParsable('""'.repeat(100_000)));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => isParsable(JSON.stringify(value))),
    { numRuns: 300 },
  );
});

t.test('an unreadable file is reported with its row, and with the row of the file', async (t) => {
  const faultOf = async (body: string, format: 'csv' | 'ndjson') => {
    try {
      return (await readAll(body, format)).length;
    } catch (error) {
      return error instanceof Unreadable ? [error.place.row, error.place.fileRow] : error;
    }
  };
  t.strictSame(await faultOf('data\na\nb,c\n', 'csv'), [2, 3]);
  t.strictSame(await faultOf('\n,,\nsep=;\n', 'csv'), [null, 3], 'the header row');
  t.strictSame(await faultOf('\ndata\n \na\n\nb,c\n', 'csv'), [2, 6]);
  t.strictSame(await faultOf('data\n"a\n', 'csv'), [1, 2]);
  t.strictSame(await faultOf('\n', 'csv'), [null, null]);
});

t.test('a logo that cannot be prepared at the moment is requested again', async (t) => {
  let isBusy = true;
  let asked = 0;
  const timer = setTimeout(() => {
    isBusy = false;
  }, 300);
  t.teardown(() => clearTimeout(timer));
  const found = { logo: null } as unknown as FoundLogo;
  const logos = {
    resolve: async () => {
      asked += 1;
      return isBusy ? BUSY : ok(found);
    },
  };
  const find = createLogoFinder({ logos }, 'account');
  t.strictSame(await Promise.all([find('x'), find('x'), find(undefined)]), [ok(found), ok(found), ok(null)]);
  t.equal(asked, 2);
});
