/** Reading tables as people write them: encodings, separators, names of columns, and words for true and false. */
import vm from 'node:vm';
import fc from 'fast-check';
import t from 'tap';
import { truthOf } from '../../src/csv/booleans.ts';
import { columnsOf } from '../../src/csv/columns.ts';
import { decode } from '../../src/csv/encoding.ts';
import { matchColumns } from '../../src/csv/match.ts';
import { fieldHint, findNearest } from '../../src/csv/nearest.ts';
import { COLUMNS_MAX, readCsvRecords } from '../../src/csv/records.ts';
import { findSeparator } from '../../src/csv/separator.ts';
import { SYNONYMS } from '../../src/csv/synonyms.ts';

const inPieces = async function* (bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
};
const decoded = async (bytes: Buffer, length = 3): Promise<string> => {
  let text = '';
  for await (const part of decode(inPieces(bytes, length))) text += part;
  return text;
};

t.test('UTF-8 and UTF-16 are decoded, wherever a chunk ends', async () => {
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

t.test('Windows-1252 is decoded unless UTF-8 precedes it; other encodings are refused', async (t) => {
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
});

const cellsOf = async (text: string) => {
  const records = [];
  for await (const { texts } of readCsvRecords(inPieces(Buffer.from(text), 5), {
    maxRowBytes: 20_000,
    maxEmptyLines: 9,
    maxCells: 5000,
  }))
    records.push(texts);
  return records;
};

t.test('the separator is the most frequent one in the header row, or a declared one', async (t) => {
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

t.test('of equally frequent separators the first wins; quotes and later rows do not count', async () => {
  const separator = fc.constantFrom(',', ';', '\t');
  const sign = fc.oneof(
    { weight: 3, arbitrary: separator },
    fc.constantFrom('a', 'b', '","', '";;"', '"\t"'),
  );
  fc.assert(
    fc.property(
      fc.array(sign, { maxLength: 12 }),
      fc.constantFrom('', '\n;;;;,,,,\t', '\r,,,,,;;'),
      (signs, rest) => {
        const count = (one: string) => signs.filter((other) => other === one).length;
        const most = Math.max(...[',', ';', '\t'].map(count));
        const expected = most === 0 ? ',' : signs.find((one) => /^[,;\t]$/.test(one) && count(one) === most);
        const text = signs.join('') + rest;
        return fc.stringify(findSeparator(text)) === fc.stringify({ separator: expected, text });
      },
    ),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.constantFrom('|', ';', ':'), fc.constantFrom('\n', '\r', '\r\n'), (one, end) => {
      const { separator: said, text } = findSeparator(`"SEP=${one}"${end}a,b`);
      return said === one && text === 'a,b';
    }),
  );
});

t.test('a suggested word differs from the given one in at most two fifths of the letters', async () => {
  const known = 'abcdefghijklmnopqrst';
  const length = fc.integer({ min: 1, max: known.length });
  const wrong = (letters: number) => 'X'.repeat(letters);
  fc.assert(
    fc.property(length, length, fc.nat(known.length), (letters, changed, place) => {
      const word = known.slice(0, letters);
      const at = Math.min(place, letters);
      const most = Math.min(changed, letters - at);
      const typed = {
        changed: word.slice(0, at) + wrong(most) + word.slice(at + most),
        added: word.slice(0, at) + wrong(changed) + word.slice(at),
        left: word.slice(0, at) + word.slice(at + most),
      };
      const others = ['ZZZZZZZZZZ', word, 'YYYY'];
      const isNear = (far: number, whole: number) => (5 * far <= 2 * whole ? word : null);
      return (
        findNearest(typed.changed, others) === isNear(most, letters) &&
        findNearest(typed.added, others) === isNear(changed, letters + changed) &&
        findNearest(typed.left, others) === isNear(most, letters)
      );
    }),
    { numRuns: 2000 },
  );
});

t.test('a hint suggests a field by its whole name or its last part, whatever the case', async (t) => {
  t.equal(fieldHint('DATE', ['width', 'data']), ' (did you mean "data"?)');
  t.equal(fieldHint('colour', ['data', 'dotsOptions.color']), ' (did you mean "dotsOptions.color"?)');
  t.equal(
    fieldHint('dotsOption.color', ['color', 'dotsOptions.color']),
    ' (did you mean "dotsOptions.color"?)',
  );
  t.equal(fieldHint('something else', ['data', 'dotsOptions.color']), '');
  t.equal(fieldHint('data', []), '');
});

const fields = ['data', 'id', 'name', 'file', 'width', 'dynamic', 'dotsOptions.color'];
const match = (names: readonly string[], mapping = {}) => {
  const matched = matchColumns(names, { fields, mapping, byHand: '--column' });
  return matched.ok ? matched.value : matched.fault;
};

t.test('columns are matched by name regardless of case, by aliases, and by explicit mapping', async (t) => {
  t.strictSame(match(['URL', ' Title ', 'File_Name', 'DotsOptions.Color', 'shelf']), [
    ...['data', 'name', 'file', 'dotsOptions.color'],
    null,
  ]);
  t.strictSame(match(['Data', 'url']), ['data', null], 'the name of a field takes precedence over aliases');
  t.strictSame(match(['DATA', 'data']), [null, 'data'], 'an exact match takes precedence');
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
  t.equal(new Set(names).size, names.length, 'no name belongs to two fields');
});

t.test('words for true and false are recognised', async (t) => {
  for (const word of ['yes', 'Y', ' 1 ', 'TRUE', 'WAHR', 'ja', 'Oui', 'x', 'sí', '✓'])
    t.equal(truthOf(word), true, word);
  for (const word of ['no', 'N', '0', 'False', 'FALSCH', 'nein', 'non', 'não', '-'])
    t.equal(truthOf(word), false, word);
  for (const word of ['', 'maybe', '2']) t.equal(truthOf(word), null, word);
});

const refusedBy = (message: RegExp) => ({ constructor: RangeError, message });

t.test('a row with too many columns is refused, and so is a table with too many cells', async (t) => {
  const row = (cells: number) => `${'x,'.repeat(cells - 1)}x\n`;
  t.equal((await cellsOf(row(COLUMNS_MAX)))[0]?.length, COLUMNS_MAX);
  await t.rejects(cellsOf(row(COLUMNS_MAX + 1)), refusedBy(/more than 1000 cells/));
  await t.rejects(cellsOf(row(10).repeat(501)), refusedBy(/more than 5000 cells/));
  t.match(match(['data', 'x'.repeat(1001)]), 'a name of more than 1000 characters');
});

t.test('a cell has the length limit of its field, and long cells are read in linear time', async (t) => {
  const properties = { data: { type: 'string', maxLength: 10 }, margin: { type: 'number' }, name: {} };
  const [data, margin, name] = columnsOf({ properties });
  t.strictSame(data?.read('x'.repeat(11)), { ok: false, fault: 'must have at most 10 characters' });
  t.match(data?.read('x'.repeat(10)), { ok: true });
  for (const column of [margin, name])
    t.match(column?.read('1'.repeat(32_768)), { ok: false, fault: /at most 32767 characters/ });
  for (const number of ['1', '1.', '.5', ' +1.5e3 ', '-0'])
    t.match(margin?.read(number), { ok: true }, number);
  // The deadline fails a reader with quadratic time, which would need half a minute for this text.
  const read = () =>
    vm.runInNewContext('read()', { read: () => margin?.read(`${'1'.repeat(32_000)}x`) }, { timeout: 8000 });
  t.match(read(), { ok: false, fault: 'must be a number' });
});
