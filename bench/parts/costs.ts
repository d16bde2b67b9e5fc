import { ADMIN_TOKEN, startTestbed, type Target } from '../../test/servers/testbed.ts';
import { until } from '../../test/servers/until.ts';
import { startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { mean } from '../stats.ts';
import { atMost, measured, type Verdict } from '../verdict.ts';
import type { Part } from './part.ts';
import { measureInTurns } from './turns.ts';

/** Kinds of calls, and how many make a round. */
const KINDS: readonly (readonly [RecipeName, requests: number])[] = [
  ['redirect', 8000],
  ['render hit 300', 4000],
  ['render miss 300', 3000],
  ['single plain', 3000],
  ['single styled', 3000],
  ['bulk 10', 300],
];
/** Numbers of gateway processes, each with one render thread. */
const COUNTS = [1, 4];
const ROUNDS = 4;
const RISE_MAX = 1.1;
/** Connections per process. Processes draw in groups, so each must have the same load. */
const CONNECTIONS = 32;

const untilAllServe = async ({ gateway: { url } }: Target, count: number): Promise<void> => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const allServe = new RegExp(`^tessera_render_threads ${count}$`, 'm');
  const metrics = async (): Promise<string> => (await fetch(`${url}/metrics`, { headers })).text();
  await until(async () => allServe.test(await metrics()), { deadlineMs: 120_000, pauseMs: 200 });
};

/** The cost of a call with one gateway process and with four. */
export const costs: Part = async (scope, { share }) => {
  const targets: Target[] = [];
  for (const count of COUNTS) {
    const env = { GATEWAYS: String(count), RENDER_THREADS: '1' };
    targets.push(await startTestbed(scope, { run: 'costs', env }));
    await untilAllServe(targets.at(-1)!, count);
  }
  const generator = startGenerator(scope);
  const verdicts: Verdict[] = [];
  const rises: number[] = [];
  for (const [kind, requests] of KINDS) {
    const turns = targets.map((target, i) => ({
      ...{ ...target, name: `${kind}, ${COUNTS[i]} processes`, kind },
      // Each process compiles the code for itself, so each gets as many calls as a single one.
      requests: Math.ceil(requests * share) * COUNTS[i]!,
      connections: CONNECTIONS * COUNTS[i]!,
    }));
    const [one, four] = await measureInTurns(generator, turns, Math.ceil(ROUNDS * share));
    rises.push(Math.log(four!.ratio));
    const rise = measured(`${kind}: four processes against one`, four!.ratio, 'times');
    verdicts.push(...one!.verdicts, ...four!.verdicts, rise);
  }
  // The geometric mean over all kinds, because a single kind varies by more than the effect in question.
  const rise = Math.exp(mean(rises));
  return [...verdicts, atMost('a call: four processes against one', rise, RISE_MAX, 'times')];
};
