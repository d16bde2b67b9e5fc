/** Our CSV files as Python and spreadsheets read them. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { manifestHeader, manifestLines } from '../../src/archive/manifest.ts';
import { writeManifest } from '../../src/cli/bulk/manifest.ts';
import { createSaved } from '../../src/cli/bulk/run-folder.ts';
import { fileCells, fileColumns, readFileCells } from '../../src/csv/file-columns.ts';
import { asText, readText } from '../../src/csv/formula.ts';
import { csvLines } from '../../src/csv/write.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const ROWS = 5000;
const BREAKS = ['\n', '\r', '\r\n', '\n\r', '\r\r', '\n\n', '"\n"', ',\r,', '\u2028', '\u0085', '\v', '\f'];
/** A line break at the start, in the middle, at the end or alone, next to characters that need quotation marks. */
const contentOf = (row: number): string => {
  const text = BREAKS[row % BREAKS.length]!;
  return [`a${text}${row}`, `${row}${text}`, `${text}${row}`, `"${text}${row},`][
    Math.floor(row / BREAKS.length) % 4
  ]!;
};

const PYTHON = `
import csv, json, sys
with open(sys.argv[1], newline='', encoding='utf-8') as file:
    print(json.dumps(list(csv.reader(file, strict=True))))
`;

const readByPython = async (path: string): Promise<string[][]> => {
  const { stdout } = await promisify(execFile)('python3', ['-c', PYTHON, path], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error('this test reads CSV files with Python: install python3');
    throw error;
  });
  return JSON.parse(stdout);
};

/** Each of the three ends a row outside quotation marks. */
const readBySpreadsheet = (text: string): string[][] =>
  parse(text, { record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: false, relax_column_count: true });

const expectRows = async (t: Test, path: string, column: number) => {
  const expected = Array.from({ length: ROWS }, (_, row) => asText(contentOf(row)));
  for (const [reader, rows] of [
    ['Python', await readByPython(path)],
    ['a spreadsheet', readBySpreadsheet(await readFile(path, 'utf8'))],
  ] as const) {
    t.equal(rows.length, ROWS + 1, `${reader} counts the header and ${ROWS} rows`);
    t.strictSame(
      rows.slice(1).map((cells) => cells[column]),
      expected,
      `${reader} reads every text`,
    );
    t.equal(new Set(rows.map((cells) => cells.length)).size, 1, 'each row has the same number of cells');
  }
};

t.test("the CLI's manifest of 5,000 rows with line breaks is read back row by row", async (t) => {
  const folder = await temporaryFolder(t);
  const saved = createSaved(folder);
  for (let n = 1; n <= ROWS / 100; n += 1) {
    const made = Array.from({ length: 100 }, (_, place) => {
      const row = (n - 1) * 100 + place;
      const failed = row % 7 === 0 ? { error: 'data:\nbroken' } : {};
      return { row: row + 1, content: contentOf(row), ...failed };
    });
    await saved.add(n, made);
  }
  const { path, rows } = await writeManifest(folder, saved, { formats: ['png'], withIds: false });
  t.equal(rows, ROWS);
  await expectRows(t, path, 2);
});

t.test("an archive's manifest of 5,000 rows with line breaks is read back row by row", async (t) => {
  const path = join(await temporaryFolder(t), 'manifest.csv');
  const none = { name: null, slug: null, shortUrl: null, files: [], missing: [], grade: 4, warnings: '' };
  const rows = Array.from({ length: ROWS }, (_, row) => ({
    index: row + 1,
    content: contentOf(row),
    ...none,
  }));
  await writeFile(path, manifestHeader(['png']) + manifestLines(['png'], rows));
  await expectRows(t, path, 2);
});

/** Characters that make a spreadsheet start a formula or another cell. */
const SIGNS = [
  '=',
  '+',
  '-',
  '@',
  ';',
  '\t',
  '\r',
  '\n',
  '＝',
  '＋',
  '－',
  '＠',
  '；',
  '﹢',
  '﹣',
  '﹦',
  '﹫',
  ' =',
  '\u00a0+',
  '\0-',
  '\ufeff@',
];
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc
    .tuple(fc.constantFrom(...SIGNS), fc.string({ unit: 'binary', maxLength: 20 }))
    .map(([sign, rest]) => sign + rest),
  fc
    .array(fc.constantFrom(...SIGNS, '"', ',', "'", 'x', '1'), { maxLength: 8 })
    .map((parts) => parts.join('')),
);
const isFormula = (cell: string): boolean => /^[\s\p{C}]*[=+\-@;＝＋－＠；﹢﹣﹦﹫]|^[\t\r\n]/u.test(cell);

t.test('the files of all three writers contain no formulas, and every text can be read back', async (t) => {
  for (const sign of SIGNS) t.equal(asText(`${sign}1`), `'${sign}1`, JSON.stringify(sign));
  for (const text of ['', 'a=b', '1;2', "'a", 'https://example.com/?a=1', '世界', '(1)'])
    t.equal(asText(text), text);
  t.equal(asText("'=1"), "''=1", 'so that the apostrophe is not lost');
  t.equal(asText('\u22121+1'), "'\u22121+1", 'a minus sign');
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 3 }), (text, apostrophes) => {
      const quoted = "'".repeat(apostrophes) + text;
      const written = asText(quoted);
      return readText(written) === quoted && !isFormula(written) && !/^\s*\u2212/u.test(written);
    }),
  );
  t.equal(csvLines([[-1, 1.5, null, undefined, '-1']]), "-1,1.5,,,'-1\r\n", 'numbers are not formulas');

  const write: Record<string, (text: string) => [lines: string, column: number]> = {
    'a file of the gateway': (text) => [csvLines([['x', text, 1]]), 1],
    'an archive': (content) => [
      manifestLines(
        ['png'],
        [
          {
            ...{ index: 1, name: null, content, slug: null, shortUrl: null, files: [] },
            ...{ missing: [], grade: 2, warnings: content },
          },
        ],
      ),
      2,
    ],
  };
  for (const [name, lines] of Object.entries(write)) {
    fc.assert(
      fc.property(anyText, (text) => {
        const [written, column] = lines(text);
        const rows = readBySpreadsheet(written);
        const cell = rows[0]![column]!;
        return rows.length === 1 && !isFormula(cell) && (cell === text || cell === `'${text}`);
      }),
      { numRuns: 3000 },
    );
    t.pass(name);
  }
});

t.test('the files that a manifest row names are read back as they were written', async (t) => {
  const files = ['svg', 'png'].map((format) => ({
    format,
    file: `${format}/a.${format}`,
    sha256: `${format}0`,
  }));
  const formats = ['png', 'svg', 'pdf'];
  const cells = fileCells(formats, files);
  t.strictSame(cells, ['png/a.png', 'png0', 'svg/a.svg', 'svg0', undefined, undefined]);
  const row = Object.fromEntries(fileColumns(formats).map((name, i) => [name, cells[i] ?? '']));
  t.strictSame(readFileCells(row), files.toReversed());
});
