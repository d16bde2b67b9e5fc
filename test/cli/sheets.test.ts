/** `tessera sheets`: sheets of labels from a file, without a gateway. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { checkPdf, grayPages, textOf } from '../support/pictures/print.ts';
import { run } from './support.ts';

const CSV = `data,shelf,dotsOptions.color,file
https://example.com/1,A 1,#1a4b8c,first
https://example.com/2,Größe 2,,
https://example.com/3,A 3,#204,
`;

const inFolder = (t: Test, files: Readonly<Record<string, string>>) => {
  const folder = t.testdir({ ...files });
  const out = join(folder, 'labels.pdf');
  const sheets = (file: string, ...options: readonly string[]) =>
    run(['sheets', join(folder, file), '--out', out, ...options]);
  return { folder, out, sheets };
};

t.test('a file becomes sheets with its columns as captions', async (t) => {
  const { folder, out, sheets } = inFolder(t, { 'codes.csv': CSV });
  const {
    code,
    out: said,
    err,
  } = await sheets(
    'codes.csv',
    ...['--template', 'avery-l7160', '--caption', '{index} {shelf}\\n{content} {file}', '--copies', '8'],
  );
  t.equal(code, 0, err);
  t.match(said, `3 of 3 codes on 2 pages; ${out}`);
  t.match(said, /The smallest module is 0\.\d\d mm\./);
  t.match(err, '3 of 3 rows', 'progress is shown');
  const pdf = await readFile(out);
  await t.resolves(checkPdf(pdf));
  const text = await textOf(pdf);
  // Poppler leaves out the space between two single characters.
  for (const part of [/1 ?A ?1/, '2 Größe 2', 'https://example.com/3']) t.match(text, part);
  t.strictSame(readdirSync(folder).sort(), ['codes.csv', 'labels.pdf'], 'no other file remains');
});

t.test('page sizes can be set, and NDJSON is read', async (t) => {
  const lines = ['{"data":"one","shelf":7}', '{"data":"two","dotsOptions":{"type":"dots"}}'].join('\n');
  const { out, sheets } = inFolder(t, { 'codes.ndjson': lines });
  const options = ['--page', '62x29', '--columns', '1', '--rows', '1', '--caption', '{data} {shelf}'];
  t.equal((await sheets('codes.ndjson', ...options, '--caption-side', 'beside', '--margin', '1,2')).code, 0);
  const pdf = await readFile(out);
  t.equal((await grayPages(pdf, 20)).length, 2);
  t.match(await textOf(pdf), 'one 7');
});

t.test('the format of the file is by its extension, or by --input-format', async (t) => {
  const { sheets } = inFolder(t, { 'codes.txt': CSV });
  t.match(await sheets('codes.txt', '--template', 'avery-l7160'), {
    code: 2,
    err: 'give --input-format csv',
  });
  t.match(await sheets('codes.txt', '--template', 'avery-l7160', '--input-format', 'csv'), { code: 0 });
});

t.test('GS1 columns become the data of labels for point of sale', async (t) => {
  const rows = [
    'GTIN,lot,(3103),data',
    '9521321000018,A7,000195,',
    '952132100018,B8,,',
    '9521321000019,,,',
    ',,,https://brand.example/01/09521321000018',
    ',,,plain text',
  ];
  const { out, sheets } = inFolder(t, { 'pack.csv': rows.join('\n') });
  const layout = ['--template', 'avery-l7160', '--caption', '{content}\\n{gs1}'];
  const withTill = ['--till', '--gs1', 'digital-link', '--stem', 'https://brand.example'];
  const refused = await sheets('pack.csv', ...layout, ...withTill);
  t.match(refused, { code: 1, err: /3 rows failed, so nothing was written; .*--allow codes/ });
  for (const row of [2, 3]) t.match(refused.err, `row ${row + 1} of the file: gtin: the check digit must be`);
  t.notOk(existsSync(out));
  const { code, out: said } = await sheets('pack.csv', ...layout, ...withTill, '--allow', 'codes');
  t.equal(code, 0);
  t.match(said, '2 of 5 codes on 1 page');
  for (const row of [2, 3]) t.match(said, `row ${row + 1} of the file: gtin: the check digit must be`);
  t.match(said, /row 6 of the file: data: .*GS1 data has no spaces/);
  const text = await textOf(await readFile(out));
  t.match(text.replaceAll(/\s/g, ''), 'https://brand.example/01/09521321000018/10/A7?3103=000195');
  t.match(text, '(01)09521321000018 (10)A7 (3103)000195');
  t.match(text, /brand\.example\/01\/09521321000018\s/, 'a row with data of its own keeps it');

  const elements = await sheets('pack.csv', ...layout, '--gs1', 'element-string', '--allow', 'codes');
  t.match(elements.out, /1 of 5 codes/);
  t.match(elements.out, /row 5 of the file: data: must be a GS1 element string/);
  t.match(await textOf(await readFile(out)), '(01)09521321000018 (3103)000195 (10)A7');
  const mixed = inFolder(t, {
    'mixed.csv': 'gtin,qrOptions.gs1\n9521321000018,element-string\n9521321000018,',
  });
  const without = await mixed.sheets('mixed.csv', ...layout);
  t.match(without.err, 'columns of GS1 data, which need --gs1, but no column "data"');
  const both = await mixed.sheets('mixed.csv', ...layout, '--gs1', 'digital-link');
  t.equal(both.code, 0, 'a row may choose the other form');
  for (const form of [[], ['--gs1', 'element-string']])
    t.match(
      (await sheets('pack.csv', ...layout, ...form, '--stem', 'https://brand.example')).err,
      '--stem needs --gs1 digital-link',
    );
  t.match((await sheets('pack.csv', ...layout, '--gs1', 'digital-link', '--stem', 'x')).err, '--stem: give');
});

t.test('captions that cannot be printed are named before anything is written', async (t) => {
  const names = ['قهوة عربية', '日本茶 緑茶', 'Crème 🍮', 'Żółć', 'Cafe\u0301', 'x\u0323\u0308'];
  const rows = names.map((name, i) => `https://b.example/${i},${name},SN-2026-00000000000000000${i}`);
  const { out, sheets } = inFolder(t, { 'captions.csv': ['data,name,serial', ...rows].join('\n') });
  const small = ['--page', '20x26', '--columns', '1', '--rows', '1', '--caption', '{serial}{index}{index}'];
  t.equal((await sheets('captions.csv', ...small.slice(0, -1), '{serial}')).code, 0, 'type shrinks first');
  rmSync(out);
  const cut = await sheets('captions.csv', ...small);
  t.match(cut, { code: 1, err: /6 captions cannot be printed, so nothing was written/ });
  t.match(cut.err, /row 3 of the file: "SN-2026-00000000000000000122" does not fit in type of 3\.5 pt/);
  const large = ['--page', '40x20', '--columns', '1', '--rows', '1', '--caption', '{name}\\n{serial}'];
  const boxes = await sheets('captions.csv', ...large);
  t.match(boxes, { code: 1, err: /2 captions cannot be printed/ });
  t.match(
    boxes.err,
    /row 4 of the file: "Crème 🍮 SN-[\d-]+" has characters that cannot be printed, U\+1F36E 🍮\n/,
  );
  t.match(boxes.err, /row 3 of the file: .* U\+65E5 日, U\+672C 本, U\+8336 茶, U\+7DD1 緑\n/);
  t.notMatch(boxes.err, /row [2567] of/, 'Arabic and marks are printed');
  t.notOk(existsSync(out));

  const allowed = await sheets('captions.csv', ...small, '--allow', 'cut');
  t.match(allowed, { code: 0, out: /6 captions cut with "…"\./ });
  t.match(await sheets('captions.csv', ...large, '--allow', 'cut, glyphs'), {
    code: 0,
    out: /2 captions with □ for characters that the font lacks\./,
  });
  t.match(await textOf(await readFile(out)), /Żółć/);
  t.match(await sheets('captions.csv', ...small, '--allow', 'boxes'), { code: 2, err: /--allow.*must be/ });
  t.match(await sheets('captions.csv', '--template', 'avery-l7160', '--caption', '{slug}'), {
    code: 2,
    err: /\{slug\} is not known; known are .*\{file\}.*\{name\}/,
  });
});

t.test('type shrinks until a caption fits', async (t) => {
  const { out, sheets } = inFolder(t, { 'codes.csv': `data,name\nx,${'long '.repeat(9)}end\n` });
  const options = ['--page', '30x40', '--columns', '1', '--rows', '1', '--caption', '{name}'];
  t.equal((await sheets('codes.csv', ...options)).code, 0);
  t.equal((await textOf(await readFile(out))).replaceAll(/\s+/g, ' ').trim(), `${'long '.repeat(9)}end`);
});

t.test('rows that cannot be drawn are named and nothing is written, unless it is allowed', async (t) => {
  const rows = [
    'data,dynamic,width',
    'fine,,',
    'https://example.com/,true,',
    ',,300',
    'x,,20',
    'also fine,,',
  ];
  const { out, sheets } = inFolder(t, { 'codes.csv': rows.join('\n') });
  const faults = [
    /row 3 of the file: dynamic: needs a gateway/,
    /row 4 of the file: Missing or invalid data/,
    /row 5 of the file: width: must be at least 50/,
  ];
  const refused = await sheets('codes.csv', '--template', 'avery-l7169');
  t.match(refused, { code: 1, err: /3 rows failed, so nothing was written/ });
  for (const fault of faults) t.match(refused.err, fault);
  t.notOk(existsSync(out));
  const allowed = await sheets('codes.csv', '--template', 'avery-l7169', '--allow', 'codes');
  t.match(allowed, {
    code: 0,
    out: /2 of 5 codes on 2 pages[\s\S]*3 labels with "no code":\n {2}row 3 of the file: /,
  });
  for (const fault of faults) t.match(allowed.out, fault);
  const pdf = await readFile(out);
  await t.resolves(checkPdf(pdf));
  const said = await textOf(pdf);
  for (const row of [2, 3, 4]) t.match(said, `no code: ${row}`);
});

t.test('labels for point of sale have GS1 data as caption; rows unfit for tills are reported', async (t) => {
  const rows = ['data,gtin', 'https://brand.example/01/09521321000018/10/A7,', 'https://example.com/,'];
  const { out, sheets } = inFolder(t, { 'pack.csv': rows.join('\n') });
  const options = ['--template', 'avery-l7160', '--till', '--caption', '{gs1}'];
  const { code, out: said } = await sheets('pack.csv', ...options, '--allow', 'codes');
  t.equal(code, 0);
  t.match(
    said,
    /1 of 2 codes on 1 page; .*\n.*\n1 label with "no code":\n {2}row 3 of the file: data: character 20: the path must have a primary key/,
  );
  t.match(await textOf(await readFile(out)), '(01)09521321000018 (10)A7');
  const small = await sheets('pack.csv', ...options, '--code-mm', '12');
  t.match(
    small.err,
    /row 2 of the file: --code-mm: modules would be 0\.\d+ mm; tills need 0\.396 to 0\.99 mm/,
  );
});

t.test('the name of a page may be in lower case', async (t) => {
  const { sheets } = inFolder(t, { 'codes.csv': CSV });
  t.match(await sheets('codes.csv', '--page', 'a4', '--columns', '3', '--rows', '8'), { code: 0 });
});

t.test('invalid arguments are reported by option, and nothing is written', async (t) => {
  const { out, sheets } = inFolder(t, { 'codes.csv': CSV, 'broken.csv': 'data\n"x' });
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /--template: is required; or give --page, --columns and --rows/],
    [['--template', 'avery-0'], /--template: is not known; known are/],
    [
      ['--page', 'A5', '--columns', '1', '--rows', '1'],
      /--page: must be one of A4, .*, or sides in mm, such as 100x50/,
    ],
    [['--page', 'A4', '--columns', '0', '--rows', '1'], /--columns: must be at least 1/],
    [['--page', 'A4', '--columns', 'x', '--rows', '1'], /--columns: x is not a number/],
    [['--template', 'avery-l7160', '--code-mm', '90'], /--code-mm: must be at most/],
    [
      ['--template', 'avery-l7160', '--caption', '{no}'],
      /--caption: \{no\} is not known; known are .*\{shelf\}/,
    ],
    [['--template', 'avery-l7160', '--gap', '1'], /--gap: must be left out with a template/],
    [
      ['--template', 'avery-l7160', '--gap', '1,2,3'],
      /--gap: give one length, or two with a comma between them/,
    ],
  ];
  for (const [options, told] of cases) {
    const { code, err } = await sheets('codes.csv', ...options);
    t.equal(code, 2, options.join(' '));
    t.match(err, told);
  }
  const { code, err } = await sheets('broken.csv', '--template', 'avery-l7160');
  t.equal(code, 1);
  t.match(err, /broken\.csv: /);
  t.notOk(existsSync(out));
});

t.test('an interrupted run writes nothing', async (t) => {
  const { folder } = inFolder(t, { 'codes.csv': CSV });
  const out = join(folder, 'labels.pdf');
  const args = ['sheets', join(folder, 'codes.csv'), '--template', 'avery-l7160', '--out', out];
  const { code, err } = await run(args, {}, AbortSignal.abort());
  t.equal(code, 1);
  t.match(err, 'stopped; nothing was written');
  t.strictSame(readdirSync(folder), ['codes.csv']);
});

t.test('a serial number that occurs twice is refused before anything is drawn', async (t) => {
  const rows = 'gtin,serial,name\n9521321000018,A1,a\n9521321000018,A7,b\n09521321000018,A7,c\n';
  const { out, sheets } = inFolder(t, { 'serials.csv': rows, 'codes.csv': 'data,shelf\nx,1\ny,1\nx,2\n' });
  const layout = ['--template', 'avery-l7160'];
  const gs1 = [...layout, '--gs1', 'digital-link'];
  const refused = await sheets('serials.csv', ...gs1);
  t.equal(refused.code, 1);
  t.match(refused.err, 'row 4 repeats row 3 of the file: the same GS1 key');
  t.notOk(existsSync(out));
  const allowed = await sheets('serials.csv', ...gs1, '--duplicates', 'report');
  t.equal(allowed.code, 0, allowed.err);
  t.match(allowed.out, '1 row repeats an earlier row:\n  row 4 repeats row 3 of the file: the same GS1 key');
  const plain = await sheets('codes.csv', ...layout);
  t.equal(plain.code, 0, plain.err);
  t.match(plain.out, 'row 4 repeats row 2 of the file: the same content');
  t.match(
    (await sheets('codes.csv', ...layout, '--duplicates', 'refuse')).err,
    'row 4 repeats row 2 of the file',
  );
  const unique = await sheets('codes.csv', ...layout, '--unique', 'shelf');
  t.match(unique.err, 'row 3 repeats row 2 of the file: the same value, which must be unique');
  t.match(
    (await sheets('codes.csv', ...layout, '--unique', 'bin')).err,
    'row 2 of the file: bin is required',
  );
});
