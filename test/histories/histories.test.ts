/** A few histories with fixed seeds; `npm run histories` runs any number. */
import t from 'tap';
import { WITHIN_A_SECOND } from '../servers/until.ts';
import { check, excerpt } from './checker.ts';
import { runHistory } from './run.ts';
import { startStack } from './stack.ts';

/** Their first faults cover all kinds. Removing one of the fixes that they led to makes one of them fail. */
const SEEDS = [3, 28];
/** Takes some 20 s of processor time. On a busy machine a run ends after two minutes with fewer calls. */
const LENGTH = { calls: 2500, seconds: 120 };
/** For the run, and at most two minutes until everything is settled. */
t.setTimeout(SEEDS.length * 300_000);

const stack = await startStack(t);
for (const seed of SEEDS) {
  t.test(`everything acknowledged exists exactly once, whatever fails: seed ${seed}`, async (t) => {
    const slackMs = WITHIN_A_SECOND.deadlineMs;
    const history = await runHistory(stack, {
      seed,
      ...LENGTH,
      slackMs,
      say: (text) => t.comment(text),
    });
    const violations = check(history);
    for (const violation of violations) t.comment(excerpt(history, violation));
    t.strictSame([...new Set(violations.map(({ rule, what }) => `${rule}: ${what}`))], []);
  });
}
