/** Archives of files for print, over HTTP. */
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { run } from '../../../cli/support.ts';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { refusesAll } from '../../../support/app/refusals.ts';
import { readZip } from '../../../support/files/zip.ts';
import { decodePng } from '../../../support/pictures/decode.ts';

const { bulk, get } = await newClient(await sharedApp());
const { folderId } = await bulk(['Table 1', 'https://example.com/', 'x'.repeat(200)], 'Menu');
const archive = (query: string) => get(`/folders/${folderId}/archive${query}`);
const filesOf = async (query: string) => readZip((await archive(query)).bytes);
const rowsOf = (files: Awaited<ReturnType<typeof filesOf>>): Record<string, string>[] =>
  parse(files.at(-1)!.bytes, { columns: true, record_delimiter: '\r\n' });

/** Returns the files as a folder on the disk. */
const treeOf = (files: Awaited<ReturnType<typeof filesOf>>) => {
  const tree: Record<string, Record<string, Buffer> | Buffer> = {};
  for (const { name, bytes } of files) {
    const [folder = '', file] = name.split('/');
    if (file === undefined) tree[folder] = bytes;
    else tree[folder] = { ...(tree[folder] as Record<string, Buffer>), [file]: bytes };
  }
  return tree;
};

t.test('an archive with several formats has a folder for each, and can be verified', async (t) => {
  const files = await filesOf('?format=png,svg,pdf,eps,webp&module_mm=0.508&dpi=300');
  t.equal(files.length, 3 * 5 + 1);
  const [first] = rowsOf(files);
  t.strictSame(Object.keys(first!), [
    ...['index', 'name', 'content', 'slug', 'short_url'],
    ...['png', 'svg', 'pdf', 'eps', 'webp'].flatMap((format) => [`file_${format}`, `sha256_${format}`]),
    ...['grade', 'warnings', 'error'],
  ]);
  const bytesOf = new Map(files.map(({ name, bytes }) => [name, bytes]));
  for (const row of rowsOf(files)) {
    t.equal(await decodePng(bytesOf.get(row.file_png!)!), row.short_url || row.content);
    for (const format of ['png', 'svg', 'pdf', 'eps', 'webp']) {
      const bytes = bytesOf.get(row[`file_${format}`]!)!;
      t.equal(createHash('sha256').update(bytes).digest('hex'), row[`sha256_${format}`]);
    }
  }
  const verified = await run(['verify', t.testdir(treeOf(files)), '--threads', '1']);
  t.equal(verified.code, 0, verified.err);
  t.match(
    verified.out,
    /3 of 3 codes passed[\s\S]*3 EPS files are those of the manifest; they were not read\./,
  );
});

t.test(
  'a file that a later code cannot have is listed with the reason, and fails the verification',
  async (t) => {
    const files = await filesOf('?format=png,svg&module_mm=6.096&dpi=300');
    const [list, manifest] = files.slice(-2);
    t.equal(list!.name, '00000-missing-files.csv');
    t.equal(manifest!.name, 'manifest.csv');
    const [missing] = parse(list!.bytes, { columns: true }) as Record<string, string>[];
    t.match(missing, { index: '3', file: /^png\/00003-x+\.png$/, error: /^module_mm: gives \d+ pixels/ });
    t.match(rowsOf(files)[2], { file_png: '', file_svg: /^svg\/00003/, error: `png: ${missing!.error}` });
    const verified = await run(['verify', t.testdir(treeOf(files)), '--threads', '1']);
    t.equal(verified.code, 1);
    t.match(verified.out, /row 3 : missing: png: module_mm: gives/);
  },
);

t.test('small modules on paper lower the grade and cause a warning in the manifest', async (t) => {
  const files = await filesOf('?format=svg&module_mm=0.28');
  t.equal(files[0]!.name, '00001-Table-1.svg');
  for (const { grade, warnings } of rowsOf(files)) {
    t.match(warnings, 'small-modules;v=0.28');
    t.ok(Number(grade) < 4);
  }
});

t.test('impossible formats and sizes are refused before anything is sent', async (t) => {
  const cases: [string, RegExp][] = [
    ['?format=gif', /format/],
    ['?format=png,png', /format: must name each format once/],
    ['?format=png,', /format/],
    ['?module_mm=0.5&dpi=600', /module_mm: gives 11\.811 dots a module at 600 dpi.*0\.508/],
    ['?module_mm=0.5&width_mm=20', /width_mm/],
    ['?module_mm=0', /module_mm/],
    ['?width=40', /width/],
    ['?width=600&module_mm=0.5', /width: must not be sent together/],
  ];
  await refusesAll(t, archive, cases);
  t.equal((await archive('?format=svg&module_mm=0.5')).status, 200, 'vectors may have any size');
});
