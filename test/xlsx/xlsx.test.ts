/** Reading XLSX files, and refusing hostile ones before they take memory. */
import fc from 'fast-check';
import t from 'tap';
import { SHARED } from '../../src/xlsx/bounds.ts';
import { isDateFormat, toIsoDate } from '../../src/xlsx/dates.ts';
import { XlsxFault } from '../../src/xlsx/fault.ts';
import { readXlsxRecords } from '../../src/xlsx/read.ts';
import { type Part, textRow, workbookOf, xlsxOf, zipOf } from '../support/files/xlsx.ts';

const BOUNDS = { maxRowBytes: 100_000, maxEmptyRows: 1000, maxCells: 10_000 };

const read = async (file: Buffer) => {
  const records = [];
  for await (const record of readXlsxRecords(file, BOUNDS)) records.push(record);
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
      ...['two runs', '12345678901234', '0.30000000000000004', 'true', '2023-03-15', '2023-03-15T12:00:00'],
      ...['45000', 'result', '2026-01-02', 'a\rb & 😀', '1200', ' in '],
    ],
  ]);
  t.equal(toIsoDate(0.75, false), '18:00:00');
  t.equal(toIsoDate(1, false), '1900-01-01');
  t.equal(toIsoDate(61, false), '1900-03-01');
  t.equal(toIsoDate(0, true), '1904-01-01');
  t.equal(toIsoDate(-1, false), null);
  t.equal(toIsoDate(Number.NaN, false), null);
});

t.test('serial numbers of both calendars become the right dates and times', async (t) => {
  const dayMs = 86_400_000;
  const noon = (day: number) => Date.UTC(1899, 11, 30) + day * dayMs;
  // The first day after the non-existent 29 February 1900, and the last day of the year 9999.
  const day = fc.integer({ min: 61, max: 2_958_465 });
  const second = fc.integer({ min: 0, max: 86_399 });
  fc.assert(
    fc.property(day, second, fc.boolean(), (days, seconds, is1904) => {
      const expected = new Date(noon(days) + seconds * 1000).toISOString().slice(0, seconds === 0 ? 10 : 19);
      const number = days + seconds / 86_400 - (is1904 ? 1462 : 0);
      return toIsoDate(number, is1904) === expected;
    }),
    { numRuns: 500 },
  );
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 19);
  fc.assert(fc.property(second, (seconds) => toIsoDate(seconds / 86_400, false) === time(seconds)));
  t.strictSame(
    [1, 31, 59, 60, 61].map((days) => toIsoDate(days, false)),
    ['1900-01-01', '1900-01-31', '1900-02-28', '1900-02-29', '1900-03-01'],
  );
  t.equal(toIsoDate(2_958_466, false), null);
  t.equal(toIsoDate(2_958_465.999_999_9, false), null, 'rounded up to the day after the last one');
  t.equal(toIsoDate(-1463, true), null);
});

t.test('formats are dates if their definition has a date part or their built-in number is one', async (t) => {
  const known = Array.from({ length: 80 }, (_, id) => id).filter((id) => isDateFormat(id, undefined));
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  t.strictSame(known, [...range(14, 22), ...range(27, 36), ...range(45, 47), ...range(50, 58)]);
  for (const code of ['yyyy', 'D/M', '[h]:mm', 'ss.0', '"x"h', '\\xm', '_-yy'])
    t.ok(isDateFormat(0, code), code);
  for (const code of ['0.00', '"day"0', '"day', '\\d0', '[Red]0', '[h', '_d0', '*s0', 'General'])
    t.notOk(isDateFormat(14, code), code);
});

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
  t.match(records[1]!.fault, { index: 0, message: /formula without its result/ });
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
