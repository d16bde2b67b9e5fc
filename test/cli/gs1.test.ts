import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { render } from '../../workers/render.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';
import { run } from './support.ts';

t.test('gs1 prints the elements of a value and its other forms', async (t) => {
  const { code, out } = await run(['gs1', '(01)09521321000018(10)A7', '--stem', 'https://brand.example']);
  t.equal(code, 0);
  t.match(out, /^AI +TITLE +VALUE\n01 +GTIN +09521321000018\n10 +BATCH\/LOT +A7\n/);
  t.match(out, /digital link +https:\/\/brand\.example\/01\/09521321000018\/10\/A7\n/);
});

t.test('gs1 prints the same JSON as the API', async (t) => {
  const { code, out } = await run(['gs1', 'https://id.gs1.org/8004/95213A', '--json']);
  t.equal(code, 0);
  t.strictSame(JSON.parse(out), {
    valid: true,
    form: 'digital-link',
    elements: [{ ai: '8004', title: 'GIAI', value: '95213A' }],
    element_string: '(8004)95213A',
    fnc1: '\u001d800495213A',
    digital_link: 'https://id.gs1.org/8004/95213A',
    gtin: null,
    faults: [],
  });
});

t.test('gs1 explains why a value is invalid, and exits with 1', async (t) => {
  const { code, out, err } = await run(['gs1', '(01)09521321000011']);
  t.strictSame([code, out], [1, '']);
  t.match(err, /^tessera: not valid: AI \(01\), character 18: the check digit must be 8/);
  const asJson = await run(['gs1', '(01)09521321000011', '--json']);
  t.equal(asJson.code, 1);
  t.match(JSON.parse(asJson.out), { valid: false, form: 'brackets', faults: [{ ai: '01', position: 18 }] });
});

t.test('gs1 refuses a stem that cannot begin a URI', async (t) => {
  t.equal((await run(['gs1', '(8004)95213A', '--stem', 'brand.example'])).code, 2);
});

t.test('verify accepts parsed elements in place of an element string, and nothing else', async (t) => {
  const folder = await temporaryFolder(t);
  const symbol = { ...DEFAULT_DESIGN.symbol, gs1: 'element-string' } as const;
  const text = '(01)09521321000018(10)A7(21)8';
  const drawn = render({ text, design: { ...DEFAULT_DESIGN, symbol }, logo: null, format: 'png' });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  const { bytes } = drawn.value;
  await writeFile(join(folder, '1.png'), bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const verify = async (content: string) => {
    const row = `1,1.png,${sha256},${content},,`;
    await writeFile(join(folder, 'manifest.csv'), `row,file,sha256,content,short_url,error\n${row}\n`);
    return (await run(['verify', folder, '--json'])).code;
  };
  t.equal(await verify(text), 0);
  t.equal(await verify('(01)09521321000018(10)A7(21)9'), 1);
});
