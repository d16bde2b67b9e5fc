/** A short history on each of the larger arrangements of stores; `npm run histories -- --besides …` runs any number. */
import t from 'tap';
import { WITHIN_A_SECOND } from '../servers/until.ts';
import { check, excerpt } from './checker.ts';
import { runHistory } from './run.ts';
import { BESIDES, startStack } from './stack.ts';

const SEED = 3;
const LENGTH = { calls: 1000, seconds: 60 };
t.setTimeout(BESIDES.length * 300_000);

for (const besides of BESIDES) {
  // `histories.test.ts` runs it.
  if (besides === 'nothing') continue;
  t.test(`everything acknowledged exists exactly once, with ${besides} besides`, async (t) => {
    const history = await runHistory(await startStack(t, besides), {
      seed: SEED,
      ...LENGTH,
      slackMs: WITHIN_A_SECOND.deadlineMs,
      say: (text) => t.comment(text),
    });
    const violations = check(history);
    for (const violation of violations) t.comment(excerpt(history, violation));
    t.strictSame([...new Set(violations.map(({ rule, what }) => `${rule}: ${what}`))], []);
    t.ok(history.calls.length > 100);
  });
}
