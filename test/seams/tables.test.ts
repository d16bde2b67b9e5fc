/**
 * The dialects of spreadsheet programs, read by the reader of batches: files that LibreOffice has saved, and imitations
 * of what Excel, Google Sheets and Numbers save, written by hand.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { readRowLines } from '../../src/batches/receive/lines.ts';
import { createNotes } from '../../src/csv/notes.ts';
import { workbookOf, zipOf } from '../support/files/xlsx.ts';
import { CSV_ROWS, SHEET_ROWS } from './tables/rows.ts';

const rowsOf = async (file: Buffer, format: 'csv' | 'xlsx' = 'xlsx', encoding: string | null = null) => {
  const chunks = async function* () {
    yield file;
  };
  const notes = createNotes();
  const rows: string[][] = [];
  for await (const { text } of readRowLines(chunks(), { format, encoding, notes })) {
    const { data, name } = JSON.parse(text) as { data?: string; name?: string };
    rows.push([data ?? '', name ?? '']);
  }
  return { rows, emptyRows: notes.emptyRows, encoding: notes.encoding };
};

const recorded = (name: string): Buffer => readFileSync(new URL(`tables/recorded/${name}`, import.meta.url));

for (const name of ['sheet', 'sheet-1904', 'saved-again'])
  t.test(
    `LibreOffice: each cell of ${name}.xlsx is read as it shows it, with dates in ISO 8601`,
    async (t) => {
      const { rows } = await rowsOf(recorded(`${name}.xlsx`));
      t.strictSame(
        rows.map(([data]) => data),
        SHEET_ROWS.map(({ shown }) => shown),
      );
      t.strictSame(
        rows.map(([, name]) => name),
        SHEET_ROWS.map(({ shown }) => shown),
      );
    },
  );

t.test('LibreOffice: merged cells are refused and named', (t) =>
  t.rejects(rowsOf(recorded('merged.xlsx')), { message: /merged cells A2:A3/ }),
);

t.test('LibreOffice: CSV in any encoding is read as it was written, once the encoding is said', async (t) => {
  for (const { encoding, rows } of CSV_ROWS) {
    const file = recorded(`${encoding}.csv`);
    const isClear = encoding.startsWith('utf');
    const read = await rowsOf(file, 'csv', isClear ? null : encoding);
    t.strictSame(read.rows, rows, encoding);
    t.equal(read.encoding, encoding);
    if (!isClear) await t.rejects(rowsOf(file, 'csv'), { message: /no encoding is said/ });
  }
});

const cell = (reference: string, value: string, attributes = ''): string =>
  `<c r="${reference}"${attributes}><v>${value}</v></c>`;

t.test(
  'Excel: shared strings with runs and phonetics, built-in and own formats, rows with cells of styles alone',
  async (t) => {
    const strings =
      '<si><t>data</t></si><si><t>name</t></si><si><t>倉庫</t><rPh sb="0" eb="2"><t>ソウコ</t></rPh><phoneticPr fontId="1"/></si><si><r><t>Gr</t></r><r><rPr><b/></rPr><t xml:space="preserve">öße </t></r></si>';
    const styles =
      '<numFmts count="3"><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="#,##0.00\\ &quot;€&quot;"/><numFmt numFmtId="166" formatCode="[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="46"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="9"/></cellXfs>';
    const values = [
      ...[
        ['1', '46096', '2026-03-15'],
        ['2', '1.34375', '32:15:00'],
        ['3', '42', '00042'],
        ['4', '1234.5', '1234.50 €'],
      ],
      ...[
        ['5', '46096', '2026-03-15'],
        ['6', '0.5', '50%'],
        ['0', '0.30000000000000004', '0.3'],
        ['0', '9521321000018', '9521321000018'],
      ],
    ] as const;
    const rows = values.map(
      ([style, value], i) =>
        `<row r="${i + 2}" spans="1:2" x14ac:dyDescent="0.25">${cell(`A${i + 2}`, value, ` s="${style}"`)}${cell(`B${i + 2}`, `${2 + (i % 2)}`, ' t="s"')}</row>`,
    );
    const header = `<row r="1" spans="1:2">${cell('A1', '0', ' t="s"')}${cell('B1', '1', ' t="s"')}</row>`;
    const styled = '<row r="10" spans="1:2"><c r="A10" s="1"/><c r="B10" s="3"/></row>';
    const { rows: read, emptyRows } = await rowsOf(
      zipOf(workbookOf(`${header}${rows.join('')}${styled}`, { strings, styles })),
    );
    t.strictSame(
      read,
      values.map(([, , shown], i) => [shown, i % 2 === 0 ? '倉庫' : 'Größe ']),
    );
    t.equal(emptyRows, 1);
  },
);

t.test(
  'Google Sheets: explicit General, quoted separators in formats, times of day, formula texts',
  async (t) => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;-&quot;mm&quot;-&quot;dd"/><numFmt numFmtId="165" formatCode="h:mm:ss am/pm"/><numFmt numFmtId="166" formatCode="[h]:mm:ss"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>';
    const text = (reference: string, words: string) =>
      `<c r="${reference}" t="str"><f>T("${words}")</f><v>${words}</v></c>`;
    const row = (n: number, style: number, value: string) =>
      `<row r="${n}">${cell(`A${n}`, value, ` s="${style}"`)}${text(`B${n}`, 'x')}</row>`;
    const header = `<row r="1">${text('A1', 'data')}${text('B1', 'name')}</row>`;
    const sheet = `${header}${row(2, 1, '46096.0')}${row(3, 2, '0.75')}${row(4, 3, '1.34375')}${row(6, 0, '5.0')}`;
    const { rows, emptyRows } = await rowsOf(zipOf(workbookOf(sheet, { styles })));
    t.strictSame(
      rows.map(([data]) => data),
      ['2026-03-15', '18:00:00', '32:15:00', '5'],
    );
    t.equal(emptyRows, 1, 'a row that the file leaves out');
  },
);

t.test('Numbers: inline strings, dates with times, and no styles for plain numbers', async (t) => {
  const styles =
    '<numFmts><numFmt numFmtId="60" formatCode="d mmm yyyy h:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="60"/></cellXfs>';
  const inline = (reference: string, text: string) =>
    `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheet = `<row r="1">${inline('A1', 'data')}${inline('B1', 'name')}</row><row r="2">${cell('A2', '46096.5', ' s="1"')}${inline('B2', 'Café')}</row><row r="3">${cell('A3', '7')}${inline('B3', '')}</row>`;
  const { rows } = await rowsOf(zipOf(workbookOf(sheet, { styles })));
  t.strictSame(rows, [
    ['2026-03-15T12:00:00', 'Café'],
    ['7', ''],
  ]);
});
