/** The header with the warnings of a bulk call's items, as the gateway writes it and a client may read it. */
import t from 'tap';
import type { Graded } from '../../src/generate/quality/graded.ts';
import { itemWarnings } from '../../src/http/answer-headers.ts';

/** The warnings of each item that has some, in the form of `Tessera-Warnings`. */
const readItemWarnings = (header: string): ReadonlyMap<number, string> => {
  const warnings = new Map<number, string>();
  for (const [, words, items] of header.matchAll(/\(([^)]*)\);items="([\d -]*)"/g))
    for (const range of items!.split(' ')) {
      const [from, to = from] = range.split('-').map(Number);
      for (let i = from!; i <= to!; i += 1) warnings.set(i, words!.replaceAll(' ', ', '));
    }
  return warnings;
};

const item = (warnings: string): Graded => ({ grade: warnings === '' ? 4 : 2, warnings });

t.test('items with the same warnings are grouped, and are read back one by one', async (t) => {
  const pale = 'contrast;v=0.31, red-light;v=0.3';
  const items = [item(pale), item(pale), null, item(''), item('quiet-zone;v=1'), item(pale)];
  const header = itemWarnings(items);
  t.equal(header, '(contrast;v=0.31 red-light;v=0.3);items="0-1 5", (quiet-zone;v=1);items="4"');
  t.strictSame(
    [...readItemWarnings(header)].sort(([a], [b]) => a - b),
    [
      [0, pale],
      [1, pale],
      [4, 'quiet-zone;v=1'],
      [5, pale],
    ],
  );
  t.equal(itemWarnings([item(''), null]), '');
  t.equal(readItemWarnings('').size, 0);
});

t.test('the header stays within four kilobytes: values are dropped first, then groups', async (t) => {
  const names = [
    'contrast',
    'red-light',
    'modulation',
    'logo-damage',
    'fixed-patterns',
    'finder-centre',
    'finder-ring',
  ];
  const alike = Array.from({ length: 100 }, (_, i) =>
    item(names.map((name) => `${name};v=${(i / 100).toFixed(2)}`).join(', ')),
  );
  t.equal(itemWarnings(alike), `(${names.join(' ')});items="0-99"`, 'without values they are one group');

  const different = Array.from({ length: 100 }, (_, i) =>
    item(names.filter((_, bit) => ((i + 28) >> bit) & 1).join(', ')),
  );
  const header = itemWarnings(different);
  t.ok(header.length <= 4096 && header.length > 3500, `${header.length}`);
  for (const [index, warnings] of readItemWarnings(header)) t.equal(warnings, different[index]!.warnings);
});

t.test('a header of 4,096 bytes stays as it is, and one of 4,097 loses its values', async (t) => {
  // With names of 68 letters, each of the 50 groups takes 80 bytes, or 81 when its item has two digits.
  const warningsOf = (i: number) => `w${String(i).padStart(2, '0')}${'x'.repeat(50)};v=0.123456789`;
  const items = Array.from({ length: 50 }, (_, i) => item(warningsOf(i)));
  const missing = 4096 - itemWarnings(items).length;
  t.ok(missing > 0, `${missing} bytes are left`);
  const longer = (bytes: number) => [...items.slice(1), item(`${warningsOf(0)}${'0'.repeat(bytes)}`)];
  t.equal(itemWarnings(longer(missing)).length, 4096);
  t.match(itemWarnings(longer(missing)), /;v=/);
  t.notMatch(itemWarnings(longer(missing + 1)), /;v=/);
});

t.test('groups without values fill up to 4,096 bytes', async (t) => {
  const names = (last: number) =>
    Array.from({ length: 100 }, (_, i) => `w${'x'.repeat(i < 50 ? 56 : i === 50 ? last : 900)}${i}`);
  const header = (last: number) => itemWarnings(names(last).map((name) => item(`${name};v=0.5`)));
  const missing = 4096 - header(10).length;
  t.ok(missing > 0, `${missing} bytes are left`);
  t.equal(header(10 + missing).length, 4096);
  t.equal(readItemWarnings(header(10 + missing)).size, 51);
  t.equal(readItemWarnings(header(11 + missing)).size, 50);
});
