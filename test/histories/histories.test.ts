/** Some histories of fixed seeds; `npm run histories` runs as many as one likes. */
import t from 'tap';
import { WITHIN_A_SECOND } from '../servers/until.ts';
import { check, excerpt } from './checker.ts';
import { runHistory } from './run.ts';
import { startStack } from './stack.ts';

/** Their first faults are of all kinds. When a fix that they were written for is taken out, one of them fails. */
const SEEDS = [3, 28];
/** Some 20 s of processor time, and on a busy machine as many calls as it makes in two minutes. */
const LENGTH = { calls: 2500, seconds: 120 };
/** For that, and for two minutes until all is settled. */
t.setTimeout(SEEDS.length * 300_000);

const stack = await startStack(t);
for (const seed of SEEDS) {
  t.test(`what is acknowledged is there once, whatever fails: seed ${seed}`, async (t) => {
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
