/**
 * Records the files of `recorded/` anew with LibreOffice: `node --require=./test/support/loader/typescript.cjs
 * test/seams/tables/record.ts`, where `soffice` is installed. Each begins as a flat OpenDocument sheet, which is
 * written here.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CSV_ROWS, SHEET_ROWS } from './rows.ts';

const RECORDED = fileURLToPath(new URL('recorded/', import.meta.url));

const NAMESPACES = [
  ...['office', 'table', 'text', 'style'].map((name) => [
    name,
    `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`,
  ]),
  ['number', 'urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0'],
  ['of', 'urn:oasis:names:tc:opendocument:xmlns:of:1.2'],
]
  .map(([name, uri]) => `xmlns:${name}="${uri}"`)
  .join(' ');

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

const textCell = (text: string): string =>
  `<table:table-cell office:value-type="string">${text
    .split('\n')
    .map((line) => `<text:p>${escaped(line)}</text:p>`)
    .join('')}</table:table-cell>`;

/** Number formats, each the name of a style. */
const FORMATS: Readonly<Record<string, string>> = {
  zeros:
    '<number:number-style style:name="N-zeros"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style>',
  boolean: '<number:boolean-style style:name="N-boolean"><number:boolean/></number:boolean-style>',
  percent:
    '<number:percentage-style style:name="N-percent"><number:number number:decimal-places="2" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>',
  date: '<number:date-style style:name="N-date"><number:day number:style="long"/><number:text>.</number:text><number:month number:style="long"/><number:text>.</number:text><number:year number:style="long"/></number:date-style>',
  moment:
    '<number:date-style style:name="N-moment"><number:month/><number:text>/</number:text><number:day/><number:text>/</number:text><number:year/><number:text> </number:text><number:hours/><number:text>:</number:text><number:minutes number:style="long"/></number:date-style>',
  time: '<number:time-style style:name="N-time"><number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/><number:text> </number:text><number:am-pm/></number:time-style>',
  duration:
    '<number:time-style style:name="N-duration" number:truncate-on-overflow="false"><number:hours/><number:text>:</number:text><number:minutes number:style="long"/><number:text>:</number:text><number:seconds number:style="long"/></number:time-style>',
  grouped:
    '<number:number-style style:name="N-grouped"><number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:number-style>',
  fraction:
    '<number:number-style style:name="N-fraction"><number:fraction number:min-integer-digits="0" number:min-numerator-digits="1" number:min-denominator-digits="1"/></number:number-style>',
};

const styles = Object.entries(FORMATS)
  .map(
    ([name, format]) =>
      `${format}<style:style style:name="${name}" style:family="table-cell" style:data-style-name="N-${name}"/>`,
  )
  .join('');

/** A sheet of rows, whose cells are XML. */
const sheetOf = (rows: readonly (readonly string[])[], is1904 = false): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${
    is1904
      ? '<table:calculation-settings><table:null-date table:date-value="1904-01-01"/></table:calculation-settings>'
      : ''
  }<table:table table:name="codes">${rows
    .map((cells) => `<table:table-row>${cells.join('')}</table:table-row>`)
    .join('')}</table:table></office:spreadsheet></office:body></office:document>`;

const HEADER = [textCell('data'), textCell('name')];
const rows = SHEET_ROWS.map(({ cell, shown }) => [cell, textCell(shown)]);
const merged = [
  [
    '<table:table-cell office:value-type="string" table:number-rows-spanned="2"><text:p>both</text:p></table:table-cell>',
    textCell('first'),
  ],
  ['<table:covered-table-cell/>', textCell('second')],
];

const folder = mkdtempSync(join(tmpdir(), 'tessera-record-'));
/** Converts files of the folder, and moves what comes of them to names of `recorded/`, or of the folder. */
const convert = (to: string, names: Readonly<Record<string, string>>, target = RECORDED): void => {
  const [extension = ''] = to.split(':');
  const out = join(folder, 'out');
  // It needs a profile of its own, and hangs where it finds one that another process has locked.
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const quiet = ['--headless', '--norestore', '--nolockcheck'];
  const files = Object.keys(names).map((name) => join(folder, name));
  execFileSync('soffice', [profile, ...quiet, '--convert-to', to, '--outdir', out, ...files], {
    env: { ...process.env, HOME: folder, LC_ALL: 'C.UTF-8' },
    timeout: 180_000,
  });
  for (const [name, recorded] of Object.entries(names))
    renameSync(join(out, name.replace(/\.\w+$/, `.${extension}`)), join(target, recorded));
};

try {
  const write = (name: string, sheet: string): void => writeFileSync(join(folder, name), sheet);
  write('sheet.fods', sheetOf([HEADER, ...rows]));
  write('epoch.fods', sheetOf([HEADER, ...rows], true));
  write('merged.fods', sheetOf([HEADER, ...merged]));
  convert('xlsx', {
    'sheet.fods': 'sheet.xlsx',
    'epoch.fods': 'sheet-1904.xlsx',
    'merged.fods': 'merged.xlsx',
  });
  convert('ods', { 'sheet.fods': 'opened.ods' }, folder);
  convert('xlsx', { 'opened.ods': 'opened.xlsx' }, folder);
  renameSync(join(folder, 'opened.xlsx'), join(folder, 'saved.xlsx'));
  convert('xlsx', { 'saved.xlsx': 'saved-again.xlsx' });
  for (const { encoding, separator, charset, rows: texts } of CSV_ROWS) {
    write('texts.fods', sheetOf([HEADER, ...texts.map((row) => row.map(textCell))]));
    const filter = `csv:Text - txt - csv (StarCalc):${separator.charCodeAt(0)},34,${charset},1`;
    convert(filter, { 'texts.fods': `${encoding}.csv` });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
