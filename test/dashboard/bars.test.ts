import t from 'tap';
import { barsOf } from '../../src/dashboard/screens/scans/bars.ts';

const row = (value: string | null, people: number) => ({ value, people, bots: 1, previews: 0 });

t.test(
  'bars count everyone: the most frequent values, the others together, and the unknown ones',
  async (t) => {
    const named = Array.from({ length: 10 }, (_, i) => row(`h${i}.example`, 20 - i));
    const bars = barsOf([...named, row('bots.example', 0), row('(other)', 5), row(null, 3)]);
    t.strictSame(
      bars.map(({ value, people }) => [value, people]),
      [...named.slice(0, 8).map(({ value, people }) => [value, people]), ['(other)', 12 + 11 + 5], [null, 3]],
    );
    t.match(barsOf([row('a.example', 2), row(null, 0)]), [{ value: 'a.example', people: 2 }]);
    t.equal(barsOf([row('a.example', 2), row(null, 0)]).length, 1, 'nothing that nobody has');
  },
);

t.test('direct visitors have their place by their number', async (t) => {
  const rows = [row('a.example', 9), row('b.example', 2), row('(other)', 1), row(null, 5)];
  const order = (isNullKnown: boolean) => barsOf(rows, isNullKnown).map(({ value }) => value);
  t.strictSame(order(true), ['a.example', null, 'b.example', '(other)']);
  t.strictSame(order(false), ['a.example', 'b.example', '(other)', null]);
});
