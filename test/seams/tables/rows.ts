/** What the recorded sheets contain, and what is to be read from them. */

const number = (value: number, style = '', type = 'float'): string =>
  `<table:table-cell${style && ` table:style-name="${style}"`} office:value-type="${type}" office:value="${value}"/>`;
const date = (value: string, style: string): string =>
  `<table:table-cell table:style-name="${style}" office:value-type="date" office:date-value="${value}"/>`;
const time = (value: string, style: string): string =>
  `<table:table-cell table:style-name="${style}" office:value-type="time" office:time-value="${value}"/>`;
const formula = (expression: string, attributes = ''): string =>
  `<table:table-cell table:formula="of:=${expression}"${attributes}/>`;
const text = (...lines: readonly string[]): string =>
  `<table:table-cell office:value-type="string">${lines.map((line) => `<text:p>${line}</text:p>`).join('')}</table:table-cell>`;

/** Rows of `data` and `name`: a cell in OpenDocument, and how it is shown, with dates in ISO 8601. */
export const SHEET_ROWS: readonly { readonly cell: string; readonly shown: string }[] = [
  { cell: text('00042'), shown: '00042' },
  { cell: number(42, 'zeros'), shown: '00042' },
  { cell: number(9521321000018), shown: '9521321000018' },
  { cell: number(123456789012345), shown: '123456789012345' },
  { cell: text('12345678901234567890'), shown: '12345678901234567890' },
  { cell: number(0.125, 'percent', 'percentage'), shown: '12.50%' },
  { cell: number(1234.5, 'grouped'), shown: '1234.50' },
  { cell: number(0.5, 'fraction'), shown: '1/2' },
  { cell: date('2026-03-15', 'date'), shown: '2026-03-15' },
  { cell: date('2026-03-15T12:30:00', 'moment'), shown: '2026-03-15T12:30:00' },
  { cell: time('PT18H05M00S', 'time'), shown: '18:05:00' },
  { cell: time('PT12H00M00S', 'time'), shown: '12:00:00' },
  { cell: time('PT32H15M00S', 'duration'), shown: '32:15:00' },
  { cell: time('PT1000H00M01S', 'duration'), shown: '1000:00:01' },
  { cell: formula('0.1+0.2'), shown: '0.3' },
  { cell: formula('&quot;A-&quot;&amp;TEXT(7;&quot;000&quot;)'), shown: 'A-007' },
  { cell: formula('DATE(2026;2;28)+1', ' table:style-name="date"'), shown: '2026-03-01' },
  { cell: formula('TRUE()', ' table:style-name="boolean"'), shown: 'true' },
  { cell: text('倉庫 &amp; Größe 😀'), shown: '倉庫 & Größe 😀' },
  { cell: text('two', 'lines'), shown: 'two\nlines' },
  { cell: text('_x0041_'), shown: '_x0041_' },
];

/** Texts as CSV. The charset is the number by which LibreOffice knows the encoding. */
export const CSV_ROWS: readonly {
  readonly encoding: string;
  readonly charset: number;
  readonly separator: string;
  readonly rows: readonly (readonly [data: string, name: string])[];
}[] = [
  {
    encoding: 'utf-8',
    charset: 76,
    separator: ',',
    rows: [
      ['Größe, "XL"', '倉庫 😀'],
      ['0042', 'two\nlines'],
    ],
  },
  {
    encoding: 'utf-16le',
    charset: 65535,
    separator: '\t',
    rows: [
      ['Größe', '倉庫 😀'],
      ['0042', 'x'],
    ],
  },
  {
    encoding: 'windows-1251',
    charset: 34,
    separator: ';',
    rows: [
      ['Зал Б', 'Ряд 1'],
      ['0042', 'a;b'],
    ],
  },
  {
    encoding: 'windows-1252',
    charset: 1,
    separator: ';',
    rows: [
      ['Größe €', 'Café'],
      ['0042', 'x'],
    ],
  },
  {
    encoding: 'shift_jis',
    charset: 64,
    separator: ',',
    rows: [
      ['倉庫', 'ソース表'],
      ['0042', 'x'],
    ],
  },
];
