/** Reading XLSX files, and refusing hostile ones before they take memory. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { createNotes } from '../../src/csv/notes.ts';
import { SHARED, XlsxFault } from '../../src/xlsx/bounds.ts';
import { createFormats, toIsoMoment } from '../../src/xlsx/formats.ts';
import { readXlsxRecords } from '../../src/xlsx/read.ts';
import { type Part, textRow, workbookOf, xlsxOf, zipOf } from '../support/files/xlsx.ts';

const BOUNDS = { maxRowBytes: 100_000, maxEmptyRows: 1000, maxCells: 10_000 };

const read = async (file: Buffer, notes = createNotes()) => {
  const records = [];
  for await (const record of readXlsxRecords(file, BOUNDS, notes)) records.push(record);
  return records;
};
const textsOf = async (rows: string, options: Parameters<typeof workbookOf>[1] = {}) =>
  (await read(zipOf(workbookOf(rows, options)))).map(({ texts }) => Array.from(texts, (text = '') => text));

t.test('cells of every type are read, such as shared texts, dates and formula results', async (t) => {
  const strings =
    '<si><t>data</t></si><si><r><t xml:space="preserve">two </t></r><r><rPr/><t>runs</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si><si><t>a_x000D_b &amp; &#x1F600;</t></si>';
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy&quot;d&quot;"/><numFmt numFmtId="165" formatCode="[Red]0.00&quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';
  const rows = `
    <row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="str"><v>name</v></c><c r="L2" t="str"><v>last</v></c></row>
    <row r="3"/>
    <row r="9"><c r="A9" t="s"><v>1</v></c><c r="B9"><v>12345678901234</v></c><c><v>0.30000000000000004</v></c>
      <c r="D9" t="b"><v>1</v></c><c r="E9" s="1"><v>45000</v></c><c r="F9" s="2"><v>45000.5</v></c>
      <c r="G9" s="3"><v>45000</v></c><c r="H9" t="str"><f>A1&amp;"x"</f><v>result</v></c><c r="I9" t="d"><v>2026-01-02</v></c>
      <c r="J9" t="s"><v>2</v></c><c r="K9"><v>1.2E3</v></c><c r="L9" t="inlineStr"><is><t> in </t></is></c></row>`;
  t.strictSame(await textsOf(rows, { strings, styles }), [
    ['data', '', 'name', '', '', '', '', '', '', '', '', 'last'],
    [
      ...['two runs', '12345678901234', '0.3', 'true', '2023-03-15', '2023-03-15'],
      ...['45000.00days', 'result', '2026-01-02', 'a\rb & 😀', '1200', ' in '],
    ],
  ]);
});

t.test('a cell that refers to no text is empty, and extensions of a document change nothing', async (t) => {
  const strings = '<si><t>data</t></si><si><t>a</t></si>';
  const cell = (reference: string, value: string) => `<c r="${reference}" t="s">${value}</c>`;
  const two = (value: string) =>
    `<row r="1">${cell('A1', '<v>0</v>')}${cell('B1', '<v>1</v>')}</row><row r="2">${cell('A2', value)}${cell('B2', '<v>1</v>')}</row>`;
  for (const value of ['<v/>', '<v></v>', '<v> </v>', ''])
    t.strictSame(
      await textsOf(two(value), { strings }),
      [
        ['data', 'a'],
        ['', 'a'],
      ],
      value,
    );
  for (const value of ['<v>2</v>', '<v>0.5</v>', '<v>-1</v>', '<v>1e0</v>', '<v>x</v>'])
    t.match((await read(zipOf(workbookOf(two(value), { strings }))))[1]?.fault, {
      message: /refers to a text/,
    });
  // Excel writes this one beside the date system of the workbook.
  const whole = workbookOf('<row><c t="str"><v>data</v></c></row><row><c s="1"><v>1</v></c></row>', {
    styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
  });
  const workbook = String(whole['xl/workbook.xml'])
    .replace('<workbookPr/>', '<workbookPr date1904="1"/>')
    .replace(
      '</workbook>',
      '<extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>',
    );
  const records = await read(zipOf({ ...whole, 'xl/workbook.xml': workbook }));
  t.strictSame(records[1]?.texts, ['1904-01-02']);
});

const WHOLE = { hasDate: true, hasTime: true, decimals: 0 };
const momentOf = (days: number, is1904: boolean, parts = WHOLE) => {
  const text = toIsoMoment(days, is1904, parts);
  return text.ok ? text.value : text.fault;
};

t.test('serial numbers of both calendars become the right dates and times', async (t) => {
  const dayMs = 86_400_000;
  const noon = (day: number) => Date.UTC(1899, 11, 30) + day * dayMs;
  // The first day after the non-existent 29 February 1900, and the last day of the year 9999.
  const day = fc.integer({ min: 61, max: 2_958_465 });
  const second = fc.integer({ min: 0, max: 86_399 });
  const timeOnly = { hasDate: false, hasTime: true, decimals: 0 };
  fc.assert(
    fc.property(day, second, fc.boolean(), (days, seconds, is1904) => {
      const iso = new Date(noon(days) + seconds * 1000).toISOString();
      const number = days + seconds / 86_400 - (is1904 ? 1462 : 0);
      return (
        momentOf(number, is1904) === iso.slice(0, seconds === 0 ? 10 : 19) &&
        momentOf(number, is1904, timeOnly) === iso.slice(11, 19)
      );
    }),
    { numRuns: 500 },
  );
  t.equal(momentOf(0.5, true, timeOnly), '12:00:00', 'a time has no day in either calendar');
  t.equal(momentOf(45_000.500_005_787, false, { ...timeOnly, decimals: 3 }), '12:00:00.500');
  t.strictSame(
    [1, 31, 59, 61].map((days) => momentOf(days, false)),
    [...['1900-01-01', '1900-01-31', '1900-02-28', '1900-03-01']],
  );
  t.equal(momentOf(0, true), '1904-01-01');
  t.match(momentOf(60, false), /29 February 1900/);
  t.match(momentOf(0.5, false), /0 January 1900/);
  for (const wrong of [-1, 2_958_466, 2_958_465.999_999_9, Number.NaN])
    t.match(momentOf(wrong, false), /####/);
});

t.test('a number is what its format shows, or is refused where that would not be the number', async (t) => {
  const shown = (code: string | number, written: string, is1904 = false): string => {
    const format = typeof code === 'number' ? { id: code, code: null } : { id: 164, code };
    const text = createFormats([format], is1904)(0).showNumber(written);
    return text.ok ? text.value : `! ${text.fault}`;
  };
  const right: readonly (readonly [string | number, string, string])[] = [
    ...([
      ['General', '0.30000000000000004', '0.3'],
      [0, '12345678901234', '12345678901234'],
    ] as const),
    ...([
      [0, '1E-7', '0.0000001'],
      [0, '-2.50', '-2.5'],
      ['@', '5', '5'],
      [49, '1.5', '1.5'],
    ] as const),
    ...([
      ['00000', '42', '00042'],
      [1, '41.6', '42'],
      [2, '12.5', '12.50'],
      ['0.00', '1.005', '1.01'],
    ] as const),
    ...([
      [3, '1234567', '1234567'],
      [4, '1234.5', '1234.50'],
      [9, '0.5', '50%'],
      [10, '0.1234', '12.34%'],
    ] as const),
    ...([
      [12, '1.5', '1 1/2'],
      ['# ??/??', '0.25', '1/4'],
      ['[Red]0.00"days"', '45000', '45000.00days'],
    ] as const),
    ...([
      ['[$€-407] #,##0.00', '1234.5', '€ 1234.50'],
      ['#,##0.00\\ "kr"', '10', '10.00 kr'],
    ] as const),
    ...([
      ['_-* #,##0.00 "€"_-;-* #,##0.00 "€"_-', '-3', '-3.00 €'],
      ['0.00;(0.00)', '-3.5', '(3.50)'],
    ] as const),
    ...([
      ['000-00-0000', '123456789', '123-45-6789'],
      ['0;-0;;@', '0', ''],
    ] as const),
    ...([
      [14, '45000', '2023-03-15'],
      [14, '45000.5', '2023-03-15'],
      [22, '45000.5', '2023-03-15T12:00:00'],
    ] as const),
    ...([
      [22, '45000', '2023-03-15'],
      ['dd/mm/yyyy"d"', '45000', '2023-03-15'],
      [31, '45000', '2023-03-15'],
    ] as const),
    ...([
      [20, '0.75', '18:00:00'],
      [32, '0.75', '18:00:00'],
      ['h:mm AM/PM', '0.75', '18:00:00'],
    ] as const),
    ...([
      [46, '1.34375', '32:15:00'],
      ['[h]:mm:ss', '1.34375', '32:15:00'],
      ['[mm]:ss', '0.5', '720:00'],
    ] as const),
    ...([
      [45, '0.0224', '00:32:15'],
      ['mm:ss.00', '0.0224', '00:32:15.36'],
    ] as const),
  ];
  for (const [code, written, text] of right) t.equal(shown(code, written), text, `${code} ${written}`);
  t.equal(shown(46, '1.34375', true), '32:15:00');
  t.equal(shown(21, '0.5', true), '12:00:00');
  for (const [code, written, fault] of [
    [0, '1.2345678901234568E+17', /more than 15 digits.*as text/],
    ['0', '1000000000000000', /more than 15 digits/],
    ...([
      [11, '1', /exponent/],
      ['0.00E+00', '9521321000018', /exponent/],
      [7, '5', /currency that depends/],
    ] as const),
    ...([
      [';;;', '5', /hides/],
      [46, '-0.5', /negative duration/],
      [14, '-1', /####/],
    ] as const),
    ...([
      ['[DBNum1]0', '5', /other digits/],
      ['0'.repeat(256), '5', /cannot be read/],
      ['"', '5', /./],
    ] as const),
    ...([
      [0, 'x', /cannot be read/],
      ['[x]0', '1', /cannot be read/],
    ] as const),
  ] as const)
    t.match(shown(code, written), fault, `${code} ${written}`);
  const textOf = (code: string) => createFormats([{ id: 164, code }], false)(0).showText('A 7');
  t.match(textOf('"Nr. "@'), { value: 'Nr. A 7' });
  t.match(textOf(';;;'), { ok: false, fault: /hides/ });
  for (const code of ['@', 'General', '0.00', '_-* #,##0_-;_-@_-'])
    t.match(textOf(code), { value: 'A 7' }, code);
});

t.test('durations and times of recorded workbooks are what they show', async (t) => {
  const cellsOf = async (name: string) =>
    (await read(readFileSync(new URL(`files/${name}.xlsx`, import.meta.url)))).flatMap(({ texts }) => texts);
  t.ok((await cellsOf('elapsed-hours')).includes('32:15:00'));
  t.ok((await cellsOf('time-in-1904-workbook')).includes('12:00:00'));
});

t.test(
  'rows without text are noted wherever they stand; hidden rows and merged cells are refused',
  async (t) => {
    const row = (number: number, text: string, more = '') =>
      `<row r="${number}"${more}><c r="A${number}" t="str"><v>${text}</v></c></row>`;
    const notes = createNotes();
    const sheet = `${row(2, 'data')}${row(3, 'a')}<row r="4"><c r="A4" s="1"/></row>${row(5, ' ')}${row(9, 'b')}${row(10, '')}`;
    const records = await read(zipOf(workbookOf(sheet)), notes);
    t.strictSame(
      records.map(({ fileRow, texts }) => [fileRow, texts[0]]),
      [
        [2, 'data'],
        [3, 'a'],
        [9, 'b'],
      ],
    );
    t.match(notes, { encoding: null, emptyRows: 7, firstEmptyRows: [1, 4, 5, 6, 7, 8, 10] });
    const refused = (rows: string, after: string, message: RegExp) => {
      const whole = workbookOf(rows);
      const path = 'xl/worksheets/sheet2.xml';
      const xml = String(whole[path]).replace('</sheetData>', `</sheetData>${after}`);
      return t.rejects(read(zipOf({ ...whole, [path]: xml })), { constructor: XlsxFault, message });
    };
    const two = `${row(1, 'data')}${row(2, 'a')}`;
    await refused(`${two}${row(3, 'b', ' hidden="1"')}`, '', /hidden rows, the first in row 3/);
    await refused(two, '<mergeCells><mergeCell ref="A2:A4"/></mergeCells>', /merged cells A2:A4/);
    const beside = workbookOf(`${two}${row(3, '', ' hidden="1"')}`);
    t.equal((await read(zipOf(beside))).length, 2, 'a hidden row without text is an empty one');
  },
);

t.test('any rows of texts are read back, whatever their characters', async () => {
  const text = fc
    .string({ unit: 'grapheme', maxLength: 20 })
    .filter((one) => /^[^\p{Cc}\p{Cs}￾￿]*$/u.test(one) && !/_x/i.test(one));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }), async (rows) => {
      const found = await read(xlsxOf([['data', 'name'], ...rows]));
      const expected = rows.filter((cells) => cells.some((cell) => cell !== ''));
      const all = found.slice(1).map(({ texts: [data = '', name = ''] }) => [data, name]);
      return JSON.stringify(all) === JSON.stringify(expected);
    }),
    { numRuns: 50 },
  );
});

t.test('a formula without a result or with an error is a fault of its cell', async (t) => {
  const header = textRow(['data', 'name']);
  const records = await read(
    zipOf(
      workbookOf(
        `${header}<row><c><f>A1</f></c></row><row><c><v>1</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>`,
      ),
    ),
  );
  t.match(records[1]!.fault, { index: 0, message: /^cell A2 has a formula without its result/ });
  t.match(records[2]!.fault, { index: 1, message: /#DIV\/0!/ });
});

t.test('files of other kinds are refused with the reason', async (t) => {
  const refused = async (file: Buffer, message: RegExp | string) =>
    t.rejects(read(file), { constructor: XlsxFault, message });
  const whole = zipOf(workbookOf(textRow(['data'])));
  const part = (path: string, bytes: Part) =>
    zipOf(workbookOf(textRow(['data']), { parts: { [path]: bytes } }));
  const sheet = (xml: string) => part('xl/worksheets/sheet2.xml', xml);
  await refused(Buffer.from('data\na\n'), /not an XLSX file/);
  await refused(Buffer.alloc(0), /not an XLSX file/);
  await refused(whole.subarray(0, whole.length - 30), /not an XLSX file/);
  await refused(Buffer.concat([whole.subarray(100), whole]), /./);
  await refused(zipOf({ 'word/document.xml': '<x/>' }), /not an XLSX file/);
  await refused(sheet('<worksheet><sheetData><row>'), /not an XLSX file/);
  await refused(part('xl/worksheets/sheet2.xml', Buffer.from([0x3c, 0xff])), /not an XLSX file/);
  await refused(part('xl/workbook.xml', '<workbook><sheets/></workbook>'), /no worksheet/);
});

t.test('a cell far to the right counts as one cell, and the number of cells is limited', async (t) => {
  const far = 'ALL';
  const rows = Array.from({ length: 50 }, (_, i) => `<row><c r="${far}${i + 2}"><v>${i}</v></c></row>`);
  const [header, ...records] = await read(
    zipOf(workbookOf(`<row><c r="${far}1" t="str"><v>data</v></c></row>${rows.join('')}`)),
  );
  t.equal(header?.texts.length, 1000);
  for (const [i, { texts }] of records.entries()) t.strictSame(Object.entries(texts), [['999', String(i)]]);
  const empty = '<row>'.concat('<c/>'.repeat(100), '</row>').repeat(101);
  await t.rejects(read(zipOf(workbookOf(`${textRow(['data'])}${empty}`))), {
    constructor: RangeError,
    message: /more than 10000 cells/,
  });
});

const GIGABYTE = 1_000_000_000;

t.test('hostile files are refused before they take memory', async (t) => {
  const before = process.memoryUsage().rss;
  const refused = async (what: string, file: Buffer, message: RegExp) =>
    t.rejects(read(file), { message }, `${what}, ${file.length} bytes`);
  const blank = Buffer.alloc(24 * 1024 * 1024, ' ');
  const withSheet = (bytes: Part) => zipOf(workbookOf('', { parts: { 'xl/worksheets/sheet2.xml': bytes } }));
  const begins = Buffer.from('<worksheet><sheetData>');

  await refused('a ZIP bomb', withSheet(Buffer.concat([begins, blank])), /unpacks to more|32767 characters/);
  await refused(
    'a part that declares a size that is too small',
    withSheet({ bytes: Buffer.concat([begins, blank]), said: 100 }),
    /./,
  );
  await refused(
    'a part that declares a huge size',
    withSheet({ bytes: begins, said: 3 * GIGABYTE }),
    /unpacks to more/,
  );
  const entities =
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>';
  await refused('entities', withSheet(entities), /not an XLSX file/);
  await refused('a deep document', withSheet('<a>'.repeat(100)), /not an XLSX file/);
  await refused('a long name', withSheet(`<${'a'.repeat(3_000_000)}`), /32767 characters|not an XLSX/);
  const cell = (text: string) => `${textRow(['data'])}<row><c t="str"><v>${text}</v></c></row>`;
  await refused('a long cell', zipOf(workbookOf(cell('x'.repeat(33_000)))), /more than 32767 characters/);
  await refused(
    'a long cell in runs',
    zipOf(workbookOf(cell(`${'x'.repeat(10_000)}<!-- -->`.repeat(40)))),
    /more than 32767 characters/,
  );
  const wide = Array.from({ length: 20 }, () => 'x'.repeat(9000));
  await refused('a long row', xlsxOf([wide]), /row that is too long/);
  await refused(
    'a column far to the right',
    zipOf(workbookOf('<row><c r="ZZZZZZ1"><v>1</v></c></row>')),
    /more than 1000 columns/,
  );
  const right = `${textRow(['data'])}<row><c r="XFD2"><v>1</v></c></row>`;
  await refused('a cell beyond the header row', zipOf(workbookOf(right)), /to the right of the 1 columns/);
  await refused(
    'empty rows',
    zipOf(workbookOf(`${textRow(['data'])}${'<row/>'.repeat(2000)}`)),
    /1000 rows are empty/,
  );
  const shared = `<si><t>${'y'.repeat(30_000)}</t></si>`.repeat(Math.ceil(SHARED.maxBytes / 30_000) + 1);
  const packed = `${shared}${Array.from({ length: 60_000 }, (_, i) => `<!--${i * 7919}-->`).join('')}`;
  await refused(
    'shared texts',
    zipOf(workbookOf(textRow(['data']), { strings: packed })),
    /more text|unpacks/,
  );
  const names = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`x/${i}`, '']));
  await refused('very many entries', zipOf({ ...workbookOf(''), ...names }), /not an XLSX file/);
  const grown = process.memoryUsage().rss - before;
  t.ok(
    grown < 700 * 1024 * 1024,
    `memory has grown by ${Math.round(grown / 1024 / 1024)} MB, the samples included`,
  );
});
