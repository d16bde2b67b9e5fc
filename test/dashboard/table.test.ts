/** The table screen without a browser: what columns may be, and the rows that are sent after they were changed. */
import fc from 'fast-check';
import t from 'tap';
import { FIELDS } from '../../src/batches/receive/fields.ts';
import { createNotes } from '../../src/csv/notes.ts';
import { readCsvRecords } from '../../src/csv/records.ts';
import { FOR_SCREENS } from '../../src/dashboard/screens/print/choice.ts';
import {
  faultyRows,
  type TableDraft,
  withAllRows,
  withCell,
  withoutRow,
  writeRows,
} from '../../src/dashboard/screens/table/draft.ts';
import { groupsFor, wordOf } from '../../src/dashboard/screens/table/fields.ts';
import {
  choose,
  faultOf,
  fitTo,
  givenTo,
  listLeftOut,
  listUnique,
  NOTHING_CHOSEN,
  toOptions,
  toQuery,
} from '../../src/dashboard/screens/table/mapping.ts';
import { addressMeant, readAddresses } from '../../src/dashboard/screens/table/misprints.ts';

const readOf = (
  names: readonly string[],
  rows: readonly string[][] = [],
  fileRows: readonly number[] = [],
) => ({
  columns: names.map((name) => ({ name, field: FIELDS.includes(name) ? name : null })),
  rows: [...rows],
  header_row: 1,
  file_rows: [...fileRows],
  ...{ cell_faults: [] as { file_row: number; column: number; message: string }[] },
  ...{ more: false, encoding: 'utf-8', delimiter: ',', empty_rows: 0, first_empty_rows: [], fault: null },
  ...{ fields: [...FIELDS], composed: null, faulty_rows: [], first_duplicates: [] },
  ...{ compared_rows: 0, duplicates: 0, refused_duplicates: 0 },
});

const draftOf = (read: ReturnType<typeof readOf>): TableDraft => ({
  ...{ file: null, name: 'a.csv', bytes: 1, kind: { format: 'csv', gzip: false }, read, isHeld: true },
  ...{ readings: [], changes: 0, edited: [], leftOut: [], found: [], mapping: [], content: {} },
  settings: { folderName: '', files: FOR_SCREENS, onError: 'skip', duplicates: 'refuse-keys', unique: '' },
  request: { data: '' },
});

const readBack = async (text: string) => {
  const rows: [number, string[]][] = [];
  const bounds = { maxRowBytes: 1e6, maxEmptyRows: 1000, maxCells: 1e6 };
  const reading = { encoding: null, wanted: 'rows', notes: createNotes() } as const;
  const chunks = (async function* () {
    yield Buffer.from(text);
  })();
  for await (const { fileRow, texts } of readCsvRecords(chunks, bounds, reading))
    rows.push([fileRow, texts.map((each) => each ?? '')]);
  return rows;
};

t.test(
  'rows are sent in their row of the file, with any text, whatever is left out between them',
  async () => {
    const cell = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((text) => text.trim() !== '');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 2, max: 30 }), { minLength: 1, maxLength: 10 }),
        fc.array(cell, { minLength: 20, maxLength: 20 }),
        fc.array(fc.integer({ min: 2, max: 30 }), { maxLength: 5 }),
        async (places, cells, leftOut) => {
          const fileRows = places.sort((a, b) => a - b);
          const rows = fileRows.map((_, at) => [cells[at]!, cells[at + 10]!]);
          const sent = await readBack(writeRows(readOf(['data', 'name'], rows, fileRows), leftOut));
          const wanted = fileRows.flatMap((row, at) => (leftOut.includes(row) ? [] : [[row, rows[at]]]));
          return JSON.stringify(sent) === JSON.stringify([[1, ['data', 'name']], ...wanted]);
        },
      ),
    );
  },
);

t.test('a correction changes a cell of its row, and a row without text is left out', async (t) => {
  const draft = draftOf(readOf(['data', 'name'], [['a', 'b'], ['c']], [2, 4]));
  const once = withCell(draft, 4, 1, 'd');
  t.match(once, {
    changes: 1,
    edited: [4],
    read: {
      rows: [
        ['a', 'b'],
        ['c', 'd'],
      ],
    },
  });
  t.strictSame(draft.read?.rows, [['a', 'b'], ['c']], 'the draft before is untouched');
  const empty = withCell(withCell(once, 2, 0, ''), 2, 1, ' ');
  t.match(empty, { leftOut: [2], edited: [4, 2] });
  t.match(withAllRows(withoutRow(empty, [4, 4])), { leftOut: [] });
});

t.test('what a batch has found wrong is shown until its row is changed or left out', async (t) => {
  const fault = (row: number, field: string) => ({ file_row: row, faults: [{ field, message: 'x' }] });
  const found = [fault(5, 'data'), fault(3, 'data'), fault(9, 'data')];
  const read = {
    ...readOf(['a', 'b']),
    cell_faults: [3, 4].flatMap((file_row) =>
      [0, 1].map((column) => ({ file_row, column, message: 'no text' })),
    ),
  };
  const draft = { read, found, edited: [5], leftOut: [7] };
  const rows = faultyRows(draft, ['name', null], [fault(9, 'width'), fault(7, 'width')]);
  const textless = { field: 'name', column: 0, message: 'no text' };
  t.strictSame(rows, [
    { file_row: 3, faults: [textless, ...fault(3, 'data').faults] },
    { file_row: 4, faults: [textless] },
    { file_row: 9, faults: [...fault(9, 'width').faults, ...fault(9, 'data').faults] },
  ]);
});

t.test(
  'every field in words is a field, and a rare one is offered where a column has its name',
  async (t) => {
    const offered = groupsFor(FIELDS, null).flatMap(({ fields }) => fields);
    t.strictSame(
      offered.filter((field) => wordOf(field) === field),
      [],
    );
    t.equal(new Set(offered).size, offered.length);
    t.ok(offered.length < 50, `${offered.length} instead of ${FIELDS.length}`);
    const rare = 'dotsOptions.gradient.colorStops';
    t.notOk(offered.includes(rare));
    t.strictSame(groupsFor(FIELDS, rare).at(-1), { label: 'As the file calls it', fields: [rare] });
  },
);

t.test('columns are chosen by hand; a field has one column, and the others are left out', async (t) => {
  const read = readOf(['Web page', 'data', 'Shelf']);
  const guess = read.columns.map(({ field }) => field);
  t.strictSame(toQuery(read, guess), { other_columns: 'skip' }, 'columns that are recognised are not listed');
  const chosen = choose(choose(guess, 0, 'data'), 2, 'external_id');
  t.strictSame(chosen, ['data', null, 'external_id']);
  t.strictSame(listLeftOut(read, chosen), ['data']);
  t.strictSame(toQuery(read, chosen), {
    other_columns: 'skip',
    columns: '{"data":"Web page","external_id":"Shelf"}',
  });
  const none = choose(chosen, 0, 'width');
  t.equal(faultOf(read, none), 'Choose the column with the content.');
  t.equal(toQuery(read, none).columns, '{"width":"Web page","external_id":"Shelf","data":null}');
  t.equal(faultOf(read, chosen), null);
  t.match(faultOf(readOf(['x', 'x']), ['data', null]), 'twice');
  t.strictSame(listUnique(readOf(['Url', 'sku', 'w']), ['data', 'sku', 'width'], ['sku']), [
    ['data', 'Url'],
    ['sku', 'sku'],
  ]);
  t.ok(
    listUnique(null, [], []).some(([field]) => field === 'external_id'),
    'for NDJSON',
  );
});

t.test('what was probably meant by a misprinted address', async (t) => {
  for (const [written, meant] of [
    ['htps://example.com/tea', 'https://example.com/tea'],
    ['htp://example.com', 'http://example.com'],
    ['hhttps://example.com', 'https://example.com'],
    ['jttps://example.com', 'https://example.com'],
    ['httsp://example.com', 'https://example.com'],
    ['htps:/example.com/tea', 'https://example.com/tea'],
    ['https//example.com/a//b', 'https://example.com/a//b'],
    ['https:example.com', 'https://example.com'],
    ['https;//example.com', 'https://example.com'],
    ['http:\\\\example.com', 'http://example.com'],
    ['http: //example.com', 'http://example.com'],
    ['https:// example.com/?q=a', 'https://example.com/?q=a'],
    ['https://exam ple.com/my menu', 'https://example.com/my%20menu'],
    ['www.example.com/menu', 'https://www.example.com/menu'],
    ['example.com', 'https://example.com'],
    ['shop.example.co.uk:8080/x', 'https://shop.example.co.uk:8080/x'],
    [' https://example.com/müsli\u200b', null],
    ['HTTPS://EXAMPLE.COM', null],
    ['http://localhost:3000', null],
    ['ftp://example.com', null],
    ['tel:+49301234', null],
    ['mailto:a@example.com', null],
    ['a@example.com', null],
    ['Table 4', null],
    ['text/plain', null],
    ['12.50', null],
    ['', null],
  ] as const)
    t.equal(addressMeant(written), meant, written);
});

t.test('no web address is a misprint, and what was meant by one is an address', async () => {
  const url = fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] });
  fc.assert(fc.property(url, (right) => addressMeant(right) === null));
  fc.assert(
    fc.property(
      url,
      fc.constantFrom('htps://', 'https//', 'http:/', 'ttps://', 'https:// ', 'https;//'),
      (right, begin) => {
        const meant = addressMeant(right.replace(/^https?:\/\//, begin)) ?? '';
        return addressMeant(meant) === null && meant.endsWith(right.replace(/^https?:\/\//, ''));
      },
    ),
  );
  // Whatever a cell has, it is read in a time that grows with its length.
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'htps:/. \\w'), maxLength: 4296 }), (cell) => {
      const meant = addressMeant(cell);
      return meant === null || /^https?:\/\/\S+$/i.test(meant);
    }),
  );
});

t.test('misprints are looked for where at least half of the cells are addresses', async (t) => {
  const of = (...cells: string[]) =>
    readAddresses(
      readOf(
        ['id', 'url'],
        cells.map((cell) => ['www.x.example', cell]),
        cells.map((_, at) => at + 2),
      ),
      1,
    );
  t.strictSame(of('https://a.example', '', 'www.b.example'), {
    areMost: true,
    misprints: [{ file_row: 4, column: 1, meant: 'https://www.b.example' }],
  });
  t.strictSame(of('https://a.example', 'www.b.example', 'www.c.example'), { areMost: false, misprints: [] });
  t.strictSame(of('Table 1', 'Table 2'), { areMost: false, misprints: [] });
  t.strictSame(of('', ''), { areMost: false, misprints: [] });
});

t.test('all codes are made dynamic in place of a column that says it, but not GS1 numbers', async (t) => {
  const choice = { ...NOTHING_CHOSEN, source: 'data', isDynamic: true } as const;
  const content = { source: 'data', names: [], given: givenTo(choice) } as const;
  t.strictSame(fitTo(['data', 'dynamic'], readOf(['data', 'dynamic']), content), ['data', null]);
  t.match(toOptions({ data: 'x', width: 500 }, choice), { width: 500, dynamic: true });
  t.match(toOptions({ data: 'x' }, { ...choice, source: 'template', template: 'https://a.example/{b}' }), {
    template: 'https://a.example/{b}',
    dynamic: true,
  });
  t.notMatch(toOptions({ data: 'x' }, { ...choice, source: 'gs1' }), { dynamic: true });
  t.strictSame(givenTo({ ...choice, source: 'gs1', serials: 'bottles' }), ['serial']);
});
