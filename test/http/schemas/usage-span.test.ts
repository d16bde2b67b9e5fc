/** The spans of usage queries, in whole hours, days and months of UTC; and the limits of units. */
import fc from 'fast-check';
import t from 'tap';
import { Grant, NewAccount } from '../../../src/http/schemas/account.ts';
import { intervalsIn, readSpan } from '../../../src/http/schemas/usage.ts';
import { createCheck } from '../../../src/http/schemas/validation.ts';

const NOW = new Date('2026-11-22T10:20:30.400Z');
const INTERVALS = ['hour', 'day', 'month'] as const;

const shown = (query: Parameters<typeof readSpan>[0]) => {
  const { from, to } = readSpan(query, NOW);
  return [from.toISOString().slice(0, 16), to.toISOString().slice(0, 16)];
};

t.test('a span is widened to whole intervals, across months and years', async (t) => {
  const query = { from: '2025-12-31T23:59:59Z', to: '2026-01-01T00:00:00.001Z' };
  t.strictSame(shown({ ...query, interval: 'month' }), ['2025-12-01T00:00', '2026-02-01T00:00']);
  t.strictSame(shown({ ...query, interval: 'day' }), ['2025-12-31T00:00', '2026-01-02T00:00']);
  t.strictSame(shown({ from: '2026-02-01', to: '2026-03-01', interval: 'month' }), [
    '2026-02-01T00:00',
    '2026-03-01T00:00',
  ]);
  t.strictSame(shown({ from: '2026-11-01T00:30:00+02:00', interval: 'hour' }), [
    '2026-10-31T22:00',
    '2026-11-22T11:00',
  ]);
});

t.test('the default start is the start of the month of the end, and the default end is now', async (t) => {
  t.strictSame(shown({ interval: 'day' }), ['2026-11-01T00:00', '2026-11-23T00:00']);
  t.strictSame(shown({ interval: 'month', to: '2026-01-01' }), ['2025-12-01T00:00', '2026-01-01T00:00']);
});

t.test('every span is aligned and is the smallest that covers what was asked for', async (t) => {
  const startOf = {
    hour: (time: Date) => `${time.toISOString().slice(0, 13)}:00:00.000Z`,
    day: (time: Date) => `${time.toISOString().slice(0, 10)}T00:00:00.000Z`,
    month: (time: Date) => `${time.toISOString().slice(0, 7)}-01T00:00:00.000Z`,
  };
  const times = fc.date({ min: new Date('2026-10-23'), max: NOW, noInvalidDate: true });
  fc.assert(
    fc.property(times, times, fc.constantFrom(...INTERVALS), (one, other, interval) => {
      fc.pre(one.getTime() !== other.getTime());
      const [from, to] = one < other ? [one, other] : [other, one];
      const span = readSpan({ from: from.toISOString(), to: to.toISOString(), interval }, NOW);
      t.equal(span.from.toISOString(), startOf[interval](from));
      t.equal(span.to.toISOString(), startOf[interval](span.to));
      t.ok(span.to >= to);
      t.equal(
        startOf[interval](new Date(span.to.getTime() - 1)),
        startOf[interval](new Date(to.getTime() - 1)),
      );
      const most = intervalsIn(span);
      t.ok(most >= 1 && most <= 31 * 24 + 2, `${most}`);
    }),
    { numRuns: 200 },
  );
});

t.test('units are whole numbers up to a trillion', async () => {
  const [checkAccount, checkGrant] = [NewAccount, Grant].map((schema) => createCheck(schema, () => true));
  const edges = fc.constantFrom(-1, 0, 1, 0.5, 999_999_999_999.5, 1e12, 1e12 + 1, Number.NaN);
  fc.assert(
    fc.property(fc.oneof(edges, fc.integer({ min: -3, max: 2e12 })), (units) => {
      const is = (least: number) => Number.isInteger(units) && units >= least && units <= 1e12;
      const fault = checkAccount!({ name: 'x', plan: 'pro', monthly_quota: units, credits: units });
      return (fault === null) === is(0) && (checkGrant!({ amount: units }) === null) === is(1);
    }),
  );
});
