/** What the command line prints: tables, fields, histories, error messages and progress. */
import fc from 'fast-check';
import t from 'tap';
import { TesseraError } from '../../clients/typescript/src/error.ts';
import { explain } from '../../src/cli/api.ts';
import { formatHistory, type History } from '../../src/cli/commands/operator/usage.ts';
import {
  CLEAR_LINE,
  createProgress,
  formatCount,
  formatDuration,
  formatFields,
  formatTable,
  toPrintable,
} from '../../src/cli/terminal.ts';

t.test('columns are aligned with their headings, numbers on the right', async (t) => {
  t.equal(
    formatTable(
      ['NAME', 'UNITS', ''],
      [
        ['a', 1_234_567, 'x'],
        ['long name', null, null],
        ['\x1b[2J', 5, 'y\n'],
      ],
    ),
    [
      'NAME           UNITS',
      'a          1,234,567  x',
      'long name          –  –',
      '?[2J               5  y?',
      '',
    ].join('\n'),
  );
  t.equal(formatTable(['A', 'B'], []), 'A  B\n');
  const cell = fc.oneof(fc.stringMatching(/^[a-z]{1,9}$/), fc.nat(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 }), (rows) => {
      const lines = formatTable(['ONE', 'TWO', 'THREE'], rows).split('\n');
      const wanted = rows.map((row) =>
        row.map((one) => (one === null ? '–' : typeof one === 'number' ? formatCount(one) : one)),
      );
      const found = lines.slice(1, -1).map((line) => line.trim().split(/ {2,}/));
      return lines.at(-1) === '' && fc.stringify(found) === fc.stringify(wanted);
    }),
  );
  t.equal(
    formatFields([
      ['name', 'x'],
      ['id', 1000],
      ['none', null],
    ]),
    'name  x\nid    1,000\nnone  –\n',
  );
});

t.test('control characters in text from the API are not printed', async (t) => {
  t.equal(toPrintable('a\x07\u202e\u2028\u2029\x9bz ü'), 'a?????z ü');
});

t.test('a history has a row for each interval, and a total', async (t) => {
  const counts = { calls: 1, units: 2, monthly: 3, credits: 4, refunded: 5, refunded_late: 6 };
  const marked = { load_test_calls: 1, load_test_units: 2 };
  const MARKED = ['LOAD TEST CALLS', 'LOAD TEST UNITS'];
  const from = '2026-11-21T13:00:00.000Z';
  const shown = (interval: History['interval'], row = {}, group?: 'key' | 'kind') =>
    formatHistory(
      { interval, total: { ...counts, ...marked, calls: 7 }, data: [{ from, ...counts, ...marked, ...row }] },
      group,
    )
      .split('\n')
      .map((line) => line.split(/ {2,}/));
  t.strictSame(shown('month'), [
    ['FROM (UTC)', 'CALLS', 'UNITS', 'MONTHLY', 'CREDITS', 'REFUNDED', 'REFUNDED LATE', ...MARKED],
    ['2026-11', '1', '2', '3', '4', '5', '6', '1', '2'],
    ['total', '7', '2', '3', '4', '5', '6', '1', '2'],
    [''],
  ]);
  t.equal(shown('day')[1]![0], '2026-11-21');
  t.equal(shown('hour')[1]![0], '2026-11-21T13:00');
  const key = { id: 'the-id', name: 'shop', prefix: 'qr_1' };
  t.strictSame(shown('day', { key }, 'key')[1]!.slice(0, 3), ['2026-11-21', 'shop (qr_1)', '1']);
  t.equal(shown('day', { key: { ...key, name: null } }, 'key')[1]![1], 'the-id');
  t.strictSame(shown('day', { kind: 'bulk' }, 'kind')[1]!.slice(0, 3), ['2026-11-21', 'bulk', '1']);
  t.strictSame(shown('day', { kind: 'bulk' }, 'kind')[0]!.slice(0, 3), ['FROM (UTC)', 'KIND', 'CALLS']);
});

t.test('errors of the gateway name the options of the command', async (t) => {
  const told = (code: ConstructorParameters<typeof TesseraError>[0], details = '') =>
    explain('http://q.test', new TesseraError(code, { status: 400, error: 'Invalid', details })).message;
  t.equal(
    told('invalid_header', 'Tessera-Min-Grade: x, Tessera-Repair, Tessera-Preset'),
    'Invalid: --min-grade: x, --repair, --preset',
  );
  t.match(told('unauthorized'), /give --key/);
  t.match(told('admin_unauthorized'), /give --token/);
});

t.test('durations are in whole seconds, with minutes from one minute on', async (t) => {
  t.strictSame([0.4, 59.4, 59.6, 60, 125.5, 3600].map(formatDuration), [
    '0 s',
    '59 s',
    '1 min 0 s',
    '1 min 0 s',
    '2 min 6 s',
    '60 min 0 s',
  ]);
});

/** The progress of 150 rows under a clock that the test moves. */
const watch = (t: { intercept: typeof import('tap').t.intercept }, isTTY: boolean, columns?: number) => {
  const clock = { nowMs: 1000 };
  t.intercept(performance, 'now', { value: () => clock.nowMs });
  const written: string[] = [];
  const out = {
    isTTY,
    ...(columns === undefined ? {} : { columns }),
    write: (text: string) => written.push(text),
  };
  return { clock, written, progress: createProgress(out, 150) };
};

t.test('without a terminal, progress is one line every five seconds, and one at the end', async (t) => {
  const { clock, written, progress } = watch(t, false);
  clock.nowMs += 4999;
  progress.add(10, 0);
  t.strictSame(written, []);
  clock.nowMs += 1;
  progress.add(15, 2);
  t.strictSame(written, ['25 of 150 rows, 2 failed, 5 a second, 25 s left\n']);
  clock.nowMs += 4999;
  progress.add(124, 0);
  progress.add(1, 0);
  t.equal(written.length, 1);
  progress.end();
  t.equal(written[1], '150 of 150 rows, 2 failed, 15 a second\n');
});

t.test('on a terminal, progress is a bar that fits its width, redrawn ten times a second', async (t) => {
  const { clock, written, progress } = watch(t, true);
  clock.nowMs += 99;
  progress.add(50, 0);
  t.strictSame(written, []);
  clock.nowMs += 1;
  progress.add(0, 0);
  t.strictSame(written, [
    `\r[${'#'.repeat(9)}${'.'.repeat(19)}] 50 of 150 rows, 500 a second, 0 s left${CLEAR_LINE}`,
  ]);
  progress.end();
  t.strictSame(written.slice(1), [written[0], '\n']);
  const narrow = watch(t, true, 20);
  narrow.progress.end();
  t.equal(narrow.written[0], `\r[${'.'.repeat(18)}${CLEAR_LINE}`);
});
