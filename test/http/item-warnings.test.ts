/** The header with the warnings of a batch's items, as the gateway writes and the command line reads it. */
import t from 'tap';
import { readItemWarnings } from '../../src/cli/bulk/item-warnings.ts';
import type { Graded } from '../../src/generate/quality/graded.ts';
import { itemWarnings } from '../../src/http/item-warnings.ts';

const item = (warnings: string): Graded => ({ grade: warnings === '' ? 4 : 2, warnings });

t.test('items with the same warnings stand together, and are read back one by one', async (t) => {
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

t.test('the header stays within four kilobytes: figures go first, then the last groups', async (t) => {
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
  t.equal(itemWarnings(alike), `(${names.join(' ')});items="0-99"`, 'without figures they are one group');

  const different = Array.from({ length: 100 }, (_, i) =>
    item(names.filter((_, bit) => ((i + 28) >> bit) & 1).join(', ')),
  );
  const header = itemWarnings(different);
  t.ok(header.length <= 4096 && header.length > 3500, `${header.length}`);
  for (const [index, warnings] of readItemWarnings(header)) t.equal(warnings, different[index]!.warnings);
});
