/** `npm run histories` runs random histories from seeds and checks them. */

import { say } from '../../bench/say.ts';
import { inScope } from '../servers/scope.ts';
import { commandLine, Misuse, textOr, whole } from '../support/command.ts';
import { check, excerpt } from './checker.ts';
import { runHistory } from './run.ts';
import { BESIDES, type Besides, startStack } from './stack.ts';

const { values } = commandLine({
  name: 'npm run histories',
  about:
    'Sends random calls to two gateways on its own Redis and Postgres while their network is disturbed, gateways are killed and paused and Redis loses its data, and checks that every unit, code, link and event exists exactly once. Each minute is a history with its own seed. Exits with 1 when a check fails.',
  options: {
    minutes: whole('number of histories, of a minute each', 1),
    seed: whole('seed of the first history; each further one has the next seed', 1),
    besides: textOr(
      'what',
      'nothing',
      `what the gateways have besides Redis and Postgres: ${BESIDES.join(', ')}`,
    ),
  },
  examples: [
    ['--minutes 60 --seed 1', 'a long run'],
    ['--besides pooler', 'through PgBouncer in transaction mode'],
  ],
  read: ({ besides }: { readonly besides: string }) => {
    if (!BESIDES.includes(besides as Besides))
      throw new Misuse(`--besides must be one of ${BESIDES.join(', ')}`);
  },
});

const SECONDS = 60;

await inScope(async (scope) => {
  const stack = await startStack(scope, values.besides as Besides);
  const sums = { calls: 0, faults: 0, violations: 0 };
  const last = Number(values.seed) + Number(values.minutes) - 1;
  for (let seed = Number(values.seed); seed <= last; seed += 1) {
    const history = await runHistory(stack, {
      seed,
      calls: Number.POSITIVE_INFINITY,
      seconds: SECONDS,
      slackMs: 0,
      say,
    });
    const violations = check(history);
    sums.calls += history.calls.length;
    sums.faults += history.faults.length;
    sums.violations += violations.length;
    for (const violation of violations) say(excerpt(history, violation));
    if (violations.length > 0)
      say(`to run it again: npm run histories -- --seed ${seed} --minutes 1 --besides ${values.besides}`);
  }
  say(`${sums.calls} calls, ${sums.faults} faults, ${sums.violations} violations`);
  process.exitCode = sums.violations === 0 ? 0 : 1;
});
