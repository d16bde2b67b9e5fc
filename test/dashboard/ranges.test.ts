/** The days of reports of scans. */
import fc from 'fast-check';
import t from 'tap';
import {
  addDays,
  daysBefore,
  daysOf,
  intervalsOf,
  lengthOf,
  RANGES,
  usualInterval,
} from '../../src/dashboard/screens/scans/range.ts';
import { exactPercent, formatDifference } from '../../src/dashboard/ui/format.ts';

const NONE = { from: '', to: '' };

t.test('ranges end with today, or are the whole month or year before', async (t) => {
  const on = (range: (typeof RANGES)[number][0], today = '2026-03-30') =>
    Object.values(daysOf(range, today, NONE));
  t.strictSame(on('today'), ['2026-03-30', '2026-03-31']);
  t.strictSame(on('yesterday'), ['2026-03-29', '2026-03-30']);
  t.strictSame(on('7'), ['2026-03-24', '2026-03-31']);
  t.strictSame(on('month'), ['2026-03-01', '2026-03-31']);
  t.strictSame(on('last-month'), ['2026-02-01', '2026-03-01']);
  t.strictSame(on('last-month', '2026-01-01'), ['2025-12-01', '2026-01-01']);
  t.strictSame(on('quarter', '2026-06-30'), ['2026-04-01', '2026-07-01']);
  t.strictSame(on('last-year'), ['2025-01-01', '2026-01-01']);
  t.strictSame(daysOf('days', '2026-03-30', { from: '2026-01-05', to: '2026-01-05' }), {
    from: '2026-01-05',
    to: '2026-01-06',
  });
});

t.test('a change is written in percent, unless there was nearly nothing before', async (t) => {
  t.equal(formatDifference(5, 2), '+150%, 2 before');
  t.equal(formatDifference(90, 100), '-10%, 100 before');
  t.equal(formatDifference(20, 2), '+900%, 2 before');
  t.equal(formatDifference(215, 4), 'from 4 to 215');
  t.equal(formatDifference(3, 0), 'from 0 to 3');
  t.equal(formatDifference(0, 0), '0 before');
  t.equal(exactPercent(0.333), '33.3%');
});

t.test('a month is compared with the month before, as far as it has come', async (t) => {
  const before = (range: 'month' | 'last-month' | 'quarter' | 'year', today: string) =>
    Object.values(daysBefore(range, daysOf(range, today, NONE)));
  t.strictSame(before('month', '2026-03-30'), ['2026-02-01', '2026-03-01']);
  t.strictSame(before('month', '2026-11-10'), ['2026-10-01', '2026-10-11']);
  t.strictSame(before('last-month', '2026-03-30'), ['2026-01-01', '2026-02-01']);
  t.strictSame(before('quarter', '2026-05-03'), ['2026-01-01', '2026-02-04']);
  t.strictSame(before('year', '2028-02-29'), ['2027-01-01', '2027-03-01']);
});

t.test('the days before end where the days begin, or sooner, and are not empty', async () =>
  fc.assert(
    fc.property(
      fc.constantFrom(...RANGES.map(([name]) => name)),
      fc.integer({ min: 0, max: 4000 }).map((days) => addDays('2024-01-01', days)),
      fc.integer({ min: 0, max: 800 }),
      (range, today, length) => {
        const days = daysOf(range, today, { from: addDays(today, -length), to: today });
        const before = daysBefore(range, days);
        const isPossible = intervalsOf(days).some(([value]) => value === usualInterval(days));
        return before.to <= days.from && lengthOf(before) > 0 && lengthOf(days) > 0 && isPossible;
      },
    ),
  ),
);
