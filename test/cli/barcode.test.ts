/** `tessera barcode`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { pixelsOf, readBarcode } from '../workers/barcode/support.ts';
import { run, sharedListener } from './support.ts';

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
