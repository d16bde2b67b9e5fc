/** `tessera sheets` for label printers. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readGray } from '../support/pictures/decode.ts';
import { printEpl } from '../support/printers/epl.ts';
import { printZpl } from '../support/printers/zpl.ts';
import { run } from './support.ts';

const ROLL = ['--page', '62x29', '--columns', '1', '--rows', '1', '--caption', '{index}', '--copies', '3'];
const HEIGHT_DOTS = 232;

/** Returns a function that makes sheets of a CSV, and the path of the file that it makes. */
const opened = (t: Test, csv: string) => {
  const folder = t.testdir({ 'codes.csv': csv });
  return async (name: string, ...options: readonly string[]) => {
    const out = join(folder, name);
    const ran = await run(['sheets', join(folder, 'codes.csv'), '--out', out, ...ROLL, ...options]);
    return { ...ran, said: ran.out, out };
  };
};

t.test('label printers get ZPL II or EPL2, by the extension or by --format', async (t) => {
  const sheets = opened(t, 'data,dotsOptions.color\nhttps://a.test/1,#fff\n');
  for (const [name, options, begins] of [
    ['roll.zpl', [], '^XA\n'],
    ['roll.EPL', [], '\nN\nq496\n'],
    ['roll.txt', ['--format', 'zpl'], '^XA\n'],
  ] as const) {
    const { code, said, err, out } = await sheets(name, '--dpi', '203', ...options);
    t.equal(code, 0, err);
    t.match(said, '1 of 1 code on 3 pages');
    t.notMatch(said, 'grade 4', 'white on white prints black on white');
    const bytes = await readFile(out);
    t.ok(bytes.toString('latin1').startsWith(begins), name);
    const [label] = name === 'roll.EPL' ? printEpl(bytes, HEIGHT_DOTS) : printZpl(bytes);
    t.equal(label!.copies, 3);
    t.equal(await readGray(label!), 'https://a.test/1');
  }
  const { out } = await sheets('roll.labels', '--dpi', '203');
  t.match((await readFile(out)).toString('latin1'), /^%PDF/, 'any other name is that of a PDF');
});

t.test('what a label printer cannot print is refused by the name of the option', async (t) => {
  const sheets = opened(t, 'data\na\n');
  const without = await sheets('roll.zpl');
  t.match(without, { code: 2, err: '--dpi: is required for a label printer: one of 203, 300, 600' });
  const marked = await sheets('roll.epl', '--dpi', '203', '--crop-marks');
  t.match(marked, { code: 2, err: '--crop-marks: must be left out for a label printer' });
  for (const { out } of [without, marked]) t.notOk(existsSync(out));
});

t.test('codes that do not read as well in black and white are told', async (t) => {
  const sheets = opened(t, 'data,dotsOptions.color,backgroundOptions.color\na,#fff,#000\nb,#000,#fff\n');
  const { said } = await sheets('roll.zpl', '--dpi', '203');
  t.match(said, 'Some codes have less than grade 4 in print: inverted.');
});
