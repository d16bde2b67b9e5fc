/** Decisions by rules; `npm run study:rules` compares a million of them with the model. */
import { randomInt } from 'node:crypto';
import t from 'tap';
import { decide, readyRules } from '../../src/links/rules/decide.ts';
import { createVisitors } from '../../src/links/rules/facts.ts';
import { compareDecisions, requestFacts } from '../study/rules/compare.ts';
import { createDraw } from '../study/rules/requests.ts';

t.test('random visits to random rules are decided as the documentation says', async (t) => {
  const requests = 20_000;
  const seed = randomInt(1, 2 ** 31 - 1);
  const { disagreements, led } = compareDecisions(requests, seed);
  t.strictSame(disagreements, [], `seed ${seed}`);
  t.ok((led.get('rule-0') ?? 0) > requests / 10, 'first rules fit often');
  t.ok((led.get('rule-3') ?? 0) > requests / 100, 'later ones too');
});

t.test('shares of visitors are as large as asked, and those of other names are independent', async (t) => {
  const ready = readyRules([
    { name: 'a', when: { share_percent: 33.3 }, destination: 'https://example.com/a' },
    { name: 'b', when: { share_percent: 50 }, destination: 'https://example.com/b' },
  ]);
  const request = createDraw(Math.random).request();
  const visitors = createVisitors(1, () => 'salt');
  const counts: Record<string, number> = {};
  for (let n = 0; n < 30_000; n += 1) {
    const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
    const rule = decide(ready, requestFacts({ ...request, address }, false, visitors))?.name ?? 'none';
    counts[rule] = (counts[rule] ?? 0) + 1;
  }
  for (const name of ['a', 'b', 'none'])
    t.ok(Math.abs(counts[name]! - 10_000) < 500, `${name}: ${counts[name]}`);
});

t.test('a visitor is first once a day and link, and the last ones are remembered', async (t) => {
  const visitors = createVisitors(3, () => 'salt');
  t.ok(visitors.isFirst('link', 'me'));
  t.ok(visitors.isFirst('link', 'me'), 'looking is no visit');
  visitors.note('link', 'me');
  t.notOk(visitors.isFirst('link', 'me'));
  t.ok(visitors.isFirst('other', 'me'));
  const tomorrow = Date.now() + 86_400_000;
  t.intercept(Date, 'now', { value: () => tomorrow });
  t.ok(visitors.isFirst('link', 'me'), 'the next day');
  for (const name of ['a', 'b', 'c', 'd']) visitors.note('link', name);
  t.ok(visitors.isFirst('link', 'a'));
  t.notOk(visitors.isFirst('link', 'd'));
});
