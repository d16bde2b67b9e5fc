/** How tables that people have are read: their encodings, separators, names of columns, and words for true and false. */
import fc from 'fast-check';
import t from 'tap';
import { truthOf } from '../../src/csv/booleans.ts';
import { decode } from '../../src/csv/encoding.ts';
import { matchColumns } from '../../src/csv/match.ts';
import { readCsvRecords } from '../../src/csv/records.ts';
import { SYNONYMS } from '../../src/csv/synonyms.ts';

const inPieces = async function* (bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
};
const decoded = async (bytes: Buffer, length = 3): Promise<string> => {
  let text = '';
  for await (const part of decode(inPieces(bytes, length))) text += part;
  return text;
};

t.test('UTF-8 and UTF-16 with or without their marks are read, wherever a chunk ends', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((one) => !one.startsWith('\ufeff'));
  await fc.assert(
    fc.asyncProperty(text, fc.boolean(), fc.integer({ min: 1, max: 5 }), async (one, isMarked, length) => {
      const whole = Buffer.from(one).toString();
      const little = Buffer.from(`\ufeff${whole}`, 'utf16le');
      const found = await Promise.all([
        decoded(Buffer.from(isMarked ? `\ufeff${whole}` : whole), length),
        decoded(little, length),
        decoded(Buffer.from(little).swap16(), length),
      ]);
      return found.every((read) => read === whole);
    }),
    { numRuns: 200 },
  );
});

t.test(
  'Windows-1252 is read when nothing before was UTF-8; other scripts and broken UTF-8 are not',
  async (t) => {
    const western = 'data\nMüller & Söhne – 5 €\n“Café”,Š\n';
    const bytes = Buffer.from(
      western.replace(
        /[€–“”Š]/g,
        (sign) => ({ '€': '\x80', '–': '\x96', '“': '\x93', '”': '\x94', Š: '\x8a' })[sign]!,
      ),
      'latin1',
    );
    for (const length of [1, 2, 7, 1000]) t.equal(await decoded(bytes, length), western);
    const refused = async (bytes: Buffer) => {
      for (const length of [1, 3, 1000]) await t.rejects(decoded(bytes, length), { message: /is not UTF-8/ });
    };
    await refused(Buffer.concat([Buffer.from('data\né\n'), Buffer.from([0xe9, 0x0a])]));
    await refused(Buffer.from([0x64, 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])); // Привет in Windows-1251
    await refused(Buffer.from([0x64, 0x93, 0xfa, 0x96, 0x7b, 0x81, 0x40, 0x81])); // Shift JIS
    await refused(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]));
  },
);

const cellsOf = async (text: string): Promise<readonly (readonly string[])[]> => {
  const records = [];
  for await (const { texts } of readCsvRecords(inPieces(Buffer.from(text), 5), {
    maxRowBytes: 10_000,
    maxEmptyLines: 9,
  }))
    records.push(texts);
  return records;
};

t.test('the separator is what the header row has most often, or what the file says', async (t) => {
  t.strictSame(await cellsOf('data;name, first;x\na,b;c;d\n'), [
    ['data', 'name, first', 'x'],
    ['a,b', 'c', 'd'],
  ]);
  t.strictSame(await cellsOf('"a;b;c",data\n1,2\n'), [
    ['a;b;c', 'data'],
    ['1', '2'],
  ]);
  t.strictSame(await cellsOf('data\tname\r\na;b\tc'), [
    ['data', 'name'],
    ['a;b', 'c'],
  ]);
  t.strictSame(await cellsOf('\ufeffsep=|\r\ndata|name\r\na,b|c\r\n'), [
    ['data', 'name'],
    ['a,b', 'c'],
  ]);
  t.strictSame(await cellsOf('data\na\n'), [['data'], ['a']]);
});

const fields = ['data', 'id', 'name', 'file', 'width', 'dynamic', 'dotsOptions.color'];
const match = (names: readonly string[], mapping = {}) => {
  const matched = matchColumns(names, { fields, mapping, byHand: '--column' });
  return matched.ok ? matched.value : matched.fault;
};

t.test('columns are matched by name without case, by other names, and by hand', async (t) => {
  t.strictSame(match(['URL', ' Title ', 'File_Name', 'DotsOptions.Color', 'shelf']), [
    ...['data', 'name', 'file', 'dotsOptions.color'],
    null,
  ]);
  t.strictSame(match(['Data', 'url']), ['data', null], 'the own name of a field comes first');
  t.strictSame(match(['DATA', 'data']), [null, 'data'], 'an exact one first of all');
  t.strictSame(match(['Web page', 'url', 'Width'], { data: 'web page', width: null }), ['data', null, null]);
  t.match(match(['url', 'Link']), '"url" and "Link" can both be data; say with --column');
  t.match(match(['data', 'data']), 'the column "data" twice');
  t.match(match(['a', 'A'], { data: 'A', name: 'a' }), [...['name', 'data']]);
  t.match(match(['x'], { data: 'y' }), 'no column "y", which --column names for data; its columns are: "x"');
  t.match(match(['x'], { data: 'x', name: 'x' }), 'for data and for name');
  t.match(
    match(['x'], { colour: 'x' }),
    /names "colour", which is no field \(did you mean "dotsOptions\.color"\?\); docs/,
  );
  const names = Object.values(SYNONYMS).flat();
  t.equal(new Set(names).size, names.length, 'no name stands for two fields');
});

t.test('words for true and false', async (t) => {
  for (const word of ['yes', 'Y', ' 1 ', 'TRUE', 'WAHR', 'ja', 'Oui', 'x', 'sí', '✓'])
    t.equal(truthOf(word), true, word);
  for (const word of ['no', 'N', '0', 'False', 'FALSCH', 'nein', 'non', 'não', '-'])
    t.equal(truthOf(word), false, word);
  for (const word of ['', 'maybe', '2']) t.equal(truthOf(word), null, word);
});
