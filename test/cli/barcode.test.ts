/** `tessera barcode`, and rows of `tessera bulk` that are barcodes. */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { pixelsOf, readBarcode } from '../workers/barcode/support.ts';
import { bulkOf, run, sharedListener } from './support.ts';

const { url: TESSERA_URL, account } = await sharedListener();
const { key: TESSERA_KEY } = await account({ monthlyQuota: 20 });
const env = { TESSERA_URL, TESSERA_KEY };

t.test('barcode writes a file in the format of its name, and says its size', async (t) => {
  const file = join(await temporaryFolder(t), 'pack.png');
  const { code, out, err } = await run(['barcode', '(01)09521321000018(10)A7', '--out', file, '--till'], env);
  t.strictSame([code, err], [0, '']);
  t.equal(out, `${file}: 9.144 by 9.144 mm, modules of 0.508 mm\n`);
  t.equal(await readBarcode(await pixelsOf(await readFile(file), 'png')), ']d2010952132100001810A7');

  const bars = file.replace('.png', '.svg');
  const size = ['--module-mm', '0.33', '--quiet-zone', '11', '--text', 'gs1', '--once', 'k'];
  const args = ['barcode', '9521321000018', '--symbology', 'ean-13', '--out', bars, '--json', ...size];
  for (const _ of [1, 2]) {
    const made = JSON.parse((await run(args, env)).out);
    t.match(made, { file: bars, size_mm: { width: 117 * 0.33, module: 0.33 } });
  }
  t.equal(await readBarcode(await pixelsOf(await readFile(bars), 'svg')), ']E09521321000018');
});

t.test('barcode explains what is refused', async (t) => {
  const file = join(await temporaryFolder(t), 'pack.png');
  const made = (...args: readonly string[]) => run(['barcode', ...args], env);
  t.match(await made('9521321000018', '--out', file), {
    code: 1,
    err: /: data: .*\(01\)09521321000018/,
  });
  t.match(await made('(01)09521321000018', '--out', 'x.gif'), {
    code: 2,
    err: /--out must end with one of \.png/,
  });
  t.match(await made('(01)09521321000018', '--out', file, '--symbology', 'ean-8'), { code: 2 });
  t.match(await made('(01)09521321000018'), { code: 2, err: /--out/ });
});

/** A run of an account of its own over an input. */
const begin = async (scope: Test, input: string) => {
  const { key } = await account({});
  return bulkOf(scope, { TESSERA_URL, TESSERA_KEY: key }, input);
};

t.test('rows are what their column says, and the manifest tells', async (t) => {
  const input = [
    'symbology,data,gtin,lot,file',
    'ean-13,9521321000018,,,bars',
    'gs1-datamatrix,,9521321000018,A7,matrix',
    'qr,https://example.com/,,,code',
  ].join('\n');
  const { go, manifest, read, out } = await begin(t, `${input}\n`);
  const { code, err } = await go('--text', 'none');
  t.equal(code, 0, err);
  const rows = await manifest();
  t.strictSame(
    rows.map(({ symbology, content, file, grade, error }) => [symbology, content, file, grade, error]),
    [
      ['ean-13', '9521321000018', 'bars.png', '', ''],
      ['gs1-datamatrix', '(01)09521321000018(10)A7', 'matrix.png', '', ''],
      ['qr', 'https://example.com/', 'code.png', '4', ''],
    ],
  );
  const held = [']E09521321000018', ']d2010952132100001810A7', ']Q1https://example.com/'];
  for (const [index, { file, sha256 }] of rows.entries()) {
    const bytes = await read(file!);
    t.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
    t.equal(await readBarcode(await pixelsOf(bytes, 'png')), held[index], file!);
  }
  const verified = await run(['verify', out, '--threads', '1', '--json']);
  t.equal(verified.code, 0, verified.err);
  t.match(JSON.parse(verified.out).results, { codes: 3, passed: 1, compared: 2, failed: 0 });
  await writeFile(join(out, 'bars.png'), await read('matrix.png'));
  t.equal((await run(['verify', out, '--threads', '1', '--json'])).code, 1, 'a changed barcode fails');
});

t.test('--symbology is for rows that do not say it, and sizes are those of its barcodes', async (t) => {
  const { go, manifest } = await begin(t, 'gtin\n012345678905\n9521321000018\n');
  const asked = [
    '--symbology',
    'ean-13',
    '--till',
    '--module-mm',
    '0.339',
    '--dpi',
    '300',
    '--round',
    'down',
  ];
  const { code, err } = await go(...asked);
  t.equal(code, 0, err);
  t.strictSame(
    (await manifest()).map(({ symbology, content }) => [symbology, content]),
    [
      ['ean-13', '0012345678905'],
      ['ean-13', '9521321000018'],
    ],
  );
});

t.test('what a barcode cannot have ends the run before anything is made', async (t) => {
  const { go } = await begin(t, 'symbology,data,dotsOptions.type\nean-13,9521321000018,dots\n');
  const { code, err } = await go();
  t.equal(code, 1);
  t.match(
    err,
    /row 2 of the file: dotsOptions\.type: is only for QR codes, and this is EAN-13: leave it out/,
  );
  const unknown = await begin(t, 'gtin\n012345678905\n');
  t.equal((await unknown.go('--symbology', 'ean-8')).code, 2);
});
