import fc from 'fast-check';
import filenamify from 'filenamify';
import t from 'tap';
import { fileName } from '../../src/batches/work/files.ts';
import { fieldsOf } from '../support/fields-of.ts';
import { holds } from '../support/pictures/designs.ts';
import { newSender, sharedBatchApp } from './support.ts';

/** ASCII, no separators, no dot except that of the extension, and no device name, as the number comes first. */
const SAFE = /^\d{7}(-[0-9A-Za-z]+)*\.(png|svg)$/;

const NAMES = [
  '../../x',
  '..\\..\\x',
  '/etc/passwd',
  'C:\\Windows\\x',
  'CON',
  'con.png',
  'NUL.txt',
  'aux',
  'trailing...',
  'trailing dots and blanks. . ',
  '.hidden',
  '~',
  '-rf',
  '%2e%2e%2f',
  '\u202egnp.exe',
  'ü'.repeat(200),
  'x'.repeat(200),
  'same',
  'same',
  'SAME',
  'sa-me.png',
  'sa me',
  '世界',
  '🙂',
  ' ',
];

t.test('names of rows like "../../x" or "CON" become safe, unique names in every format', async (t) => {
  const { app } = await sharedBatchApp();
  const { get, make, entriesOf, errorsOf, manifestOf } = await newSender(app, { monthlyQuota: 100 });
  const rows = NAMES.map((name, i) => ({ data: `text ${i}`, name }));
  const batch = await make(rows, { query: '?formats=png,svg' });
  t.equal(batch.state, 'done', JSON.stringify(await errorsOf(batch.id)));
  // `readZip` refuses names that leave the folder.
  const names = [...fieldsOf(await entriesOf(batch.id), 'name')];
  t.equal(names.pop(), 'manifest.csv');
  t.equal(names.length, 2 * NAMES.length);
  t.strictSame(
    names.filter((name) => !SAFE.test(name) || name.length > 60),
    [],
  );
  t.strictSame(
    names.map((name) => filenamify(name)),
    names,
    'no system needs to change them',
  );
  t.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length, 'unique in any letter case');
  t.strictSame(
    fieldsOf((await get('/codes?limit=100&sort=oldest')).json.data, 'name'),
    NAMES.map((name) => (name.trim() === '' ? null : name.trim().normalize('NFC'))),
    'the codes have the names of the rows, whatever their files are called',
  );
  t.strictSame(fieldsOf(await manifestOf(batch.id), 'file'), names);
});

t.test('every generated name is safe, and no two rows have the same', async (t) => {
  const anyName = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom(...NAMES));
  holds(
    t,
    fc.property(fc.array(anyName, { maxLength: 20 }), (texts) => {
      const names = texts.map((text, i) => fileName(i + 1, [text, null], 'png'));
      return (
        names.every((name) => SAFE.test(name) && name.length <= 60) &&
        new Set(names.map((name) => name.toLowerCase())).size === names.length
      );
    }),
  );
});
