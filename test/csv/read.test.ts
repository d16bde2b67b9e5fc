/** Reading tables as people write them: encodings, separators, names of columns, and words for true and false. */
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import fc from 'fast-check';
import t from 'tap';
import { readEncoding } from '../../src/csv/charset.ts';
import { columnsOf, truthOf } from '../../src/csv/columns.ts';
import { decode, EncodingFault, KindFault } from '../../src/csv/encoding.ts';
import { fieldHint, findNearest, matchColumns, SYNONYMS } from '../../src/csv/match.ts';
import { createNotes } from '../../src/csv/notes.ts';
import { setAt } from '../../src/csv/read.ts';
import { COLUMNS_MAX, findSeparator, RowFault, readCsvRecords } from '../../src/csv/records.ts';

const inPieces = async function* (bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
};
const decoded = async (bytes: Buffer, length = 3, said: string | null = null): Promise<string> => {
  let text = '';
  for await (const part of decode(inPieces(bytes, length), { said, maxLineBytes: 5000, note: () => {} }))
    text += part;
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

const file = (name: string): Buffer => readFileSync(new URL(`files/${name}`, import.meta.url));
const faultOf = (bytes: Buffer, said: string | null = null, length = 7): Promise<EncodingFault> =>
  decoded(bytes, length, said).then(
    () => Promise.reject(new Error('it was decoded')),
    (error: unknown) => (error instanceof EncodingFault ? error : Promise.reject(error)),
  );

t.test('text in any other encoding is decoded only if that is said, wherever a chunk ends', async (t) => {
  const [cyrillic, japanese] = [file('windows-1251.csv'), file('shift-jis.csv')];
  for (const length of [1, 2, 3, 1000]) {
    t.match(await decoded(cyrillic, length, 'windows-1251'), 'https://example.com/1;Зал Б\r\n');
    t.match(await decoded(japanese, length, 'shift_jis'), 'https://example.com/1,倉庫\r\n');
    t.equal(await decoded(Buffer.from('5 \x80\r\x93x\x94', 'latin1'), length, 'windows-1252'), '5 €\r“x”');
  }
  for (const [bytes, encoding, text] of [
    [cyrillic, 'windows-1251', 'https://example.com/1;Зал Б'],
    [japanese, 'shift_jis', 'https://example.com/1,倉庫'],
    [Buffer.from('data\nM\xfcller\n', 'latin1'), 'windows-1252', 'Müller'],
  ] as const) {
    const { message, readings } = await faultOf(bytes);
    t.match(message, /is not UTF-8, and no encoding is said/);
    t.match(
      readings.find((reading) => reading.encoding === encoding),
      { text },
      encoding,
    );
    t.ok(readings.length <= 8);
  }
  t.equal((await faultOf(cyrillic)).readings[0]?.encoding, 'windows-1251', 'the likeliest is the first');
  t.equal((await faultOf(japanese)).readings[0]?.encoding, 'shift_jis');
});

t.test(
  'bytes that are not in the encoding of their file are refused, and so is what may be another',
  async (t) => {
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    const says = async (bytes: Buffer, said: string | null, message: RegExp) => {
      for (const length of [1, 3, 1000]) t.match((await faultOf(bytes, said, length)).message, message);
    };
    await says(
      Buffer.concat([mark, Buffer.from('a')]),
      'windows-1251',
      /byte order mark of utf-8, which is not/,
    );
    await says(Buffer.from('\ufeffa', 'utf16le'), 'utf-16be', /byte order mark of utf-16le/);
    await says(Buffer.from([0x61, 0xff]), 'utf-8', /not utf-8, which was said/);
    await says(Buffer.concat([mark, Buffer.from([0xff])]), null, /not utf-8/);
    await says(Buffer.from([0x61, 0x81]), 'windows-1252', /not windows-1252, which was said/);
    await says(Buffer.from([0x91]), 'shift_jis', /not shift_jis/);
    await says(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), null, /not utf-16le/);
    await says(Buffer.from('data\n', 'utf16le'), null, /UTF-16 without a byte order mark/);
    t.match((await faultOf(Buffer.from('data\n', 'utf16le'))).readings[0], {
      encoding: 'utf-16le',
      text: 'data',
    });
    await says(Buffer.from('data\n\x1b$B$3\x1b(B'), null, /ISO-2022-JP/);
    t.equal(await decoded(Buffer.from('\x1b$B$3\x1b(B'), 1, 'iso-2022-jp'), 'こ');
    t.equal(await decoded(Buffer.from('\ufeffa', 'utf16le').swap16(), 1, 'utf-16'), 'a');
    for (const [bytes, kind] of [
      [Buffer.from('PK\x03\x04rest'), /ZIP file, as XLSX is/],
      [Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]), /Excel 97/],
      [Buffer.from([0x1f, 0x8b, 8]), /gzip/],
    ] as const)
      await t.rejects(decoded(bytes, 1), { constructor: KindFault, message: kind });
  },
);

t.test('a label is read as the WHATWG Encoding Standard does, if the runtime has its encoding', async (t) => {
  for (const [label, encoding] of Object.entries({
    cp1251: 'windows-1251',
    ' Latin1 ': 'windows-1252',
    sjis: 'shift_jis',
  }))
    t.strictSame(readEncoding(label), { ok: true, value: encoding });
  for (const label of ['', 'klingon', 'x-user-defined', 'hz-gb-2312'])
    t.match(readEncoding(label), { ok: false, fault: /not an encoding that can be read/ }, label);
});

const cellsOf = async (text: string, notes = createNotes()) => {
  const records = [];
  const bounds = { maxRowBytes: 20_000, maxEmptyRows: 9, maxCells: 5000 };
  const reading = { encoding: null, wanted: 'rows', notes } as const;
  for await (const { texts } of readCsvRecords(inPieces(Buffer.from(text), 5), bounds, reading))
    records.push(texts);
  return records;
};

t.test('rows without text are left out and noted, and others keep their places', async (t) => {
  const notes = createNotes();
  const text = file('delimiter-only-rows.csv').toString();
  t.equal((await cellsOf(text, notes)).length, 3);
  t.match(notes, { encoding: 'utf-8', emptyRows: 2, firstEmptyRows: [4, 5] });
  const odd = createNotes();
  const rows = await cellsOf('\n\t\na,b\n1,2\n\n  \n" ",\t\n\t\n3,4\n\u3000\n\x1a', odd);
  t.strictSame(rows, [
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ]);
  t.match(odd, { emptyRows: 7, firstEmptyRows: [1, 2, 5, 6, 7, 8, 10] });
  t.strictSame(await cellsOf('a,b\n1,2\x1a'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  await t.rejects(cellsOf(`a,b\n${',\n'.repeat(10)}`), {
    constructor: RowFault,
    message: /9 rows are empty/,
  });
  await t.rejects(cellsOf('a,b\n\n1,2\n\n3\n'), {
    place: { row: 2, fileRow: 5 },
    message: 'has 1 cell, and the header row has 2',
  });
});

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

const fields = ['data', 'external_id', 'name', 'file', 'width', 'dynamic', 'dotsOptions.color'];
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
    /names "colour", which is not a field \(did you mean "dotsOptions\.color"\?\); docs/,
  );
  const names = [...SYNONYMS.values()].flat();
  t.equal(new Set(names).size, names.length, 'no name belongs to two fields');
});

t.test('the names of what every object has are names like others', async (t) => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    const matched = matchColumns(['x', name], { fields: [name, 'data'], mapping: {}, byHand: '--column' });
    t.strictSame(matched, { ok: true, value: [null, name] });
    const item: Record<string, unknown> = {};
    setAt(item, ['values', name], 'here');
    t.strictSame(Object.entries(item.values as object), [[name, 'here']]);
    t.equal(Object.getPrototypeOf(item.values), Object.prototype);
  }
});

t.test('words for true and false are recognised', async (t) => {
  for (const word of ['yes', 'Y', ' 1 ', 'TRUE', 'WAHR', 'ja', 'Oui', 'x', 'sí', '✓'])
    t.equal(truthOf(word), true, word);
  for (const word of ['no', 'N', '0', 'False', 'FALSCH', 'nein', 'non', 'não', '-'])
    t.equal(truthOf(word), false, word);
  for (const word of ['', 'maybe', '2']) t.equal(truthOf(word), null, word);
});

const refusedBy = (message: RegExp) => ({ constructor: RowFault, message });

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
