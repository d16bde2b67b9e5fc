/** The severity of differences that the ledger check finds. */
import t from 'tap';
import { judgeLedger } from '../../src/doctor/checks/ledger.ts';
import type { Difference } from '../../src/quota/reconcile.ts';

const differing = (compared: Difference['compared'], accounts: number): Difference[] =>
  Array.from({ length: accounts }, (_, i) => ({
    accountId: `${compared} ${i}`,
    compared,
    postgres: '1',
    other: '2',
  }));

const statesOf = (differences: readonly Difference[]) =>
  judgeLedger({ accounts: 20, differences, redis: true, isSample: false }).map(({ state }) => state);

t.test('differences that repair themselves are warnings, however many there are', async (t) => {
  t.strictSame(statesOf(differing('open units with redis', 5)), Array(5).fill('warn'));
  t.strictSame(statesOf(differing('balance with redis', 9)), Array(6).fill('warn'));
});

t.test('a balance that is not the sum of its records is a fault, even if it is not listed', async (t) => {
  t.strictSame(statesOf(differing('balance with records', 1)), ['fail']);
  const late = [...differing('balance with redis', 6), ...differing('balance with records', 1)];
  t.strictSame(statesOf(late), [...Array(5).fill('warn'), 'fail']);
});
