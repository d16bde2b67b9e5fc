import type { Scope } from '../../test/servers/scope.ts';
import { ADMIN_TOKEN, startTestbed, type Testbed } from '../../test/servers/testbed.ts';
import { until } from '../../test/servers/until.ts';
import { startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { mean } from '../stats.ts';
import { atMost, measured, type Verdict } from '../verdict.ts';
import type { Part } from './part.ts';
import { costVerdicts, measureInTurns } from './turns.ts';

const KINDS: readonly (readonly [RecipeName, requests: number])[] = [
  ['redirect', 8000],
  ['render hit 300', 4000],
  ['render miss 300', 3000],
  ['single plain', 3000],
  ['single styled', 3000],
  ['bulk 10', 300],
];
const COUNTS = [1, 4];
const ROUNDS = 4;
const RISE_MAX = 1.1;
/** Connections per process. Processes draw in groups, so each must have the same load. */
const CONNECTIONS = 32;

/** Starts a gateway with this many processes, each with one render thread, and waits until all of them serve. */
const start = async (scope: Scope, count: number): Promise<Testbed> => {
  const env = { GATEWAYS: String(count), RENDER_THREADS: '1' };
  const testbed = await startTestbed(scope, { run: 'costs', env });
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const allServe = new RegExp(`^tessera_render_threads ${count}$`, 'm');
  await until(
    async () => allServe.test(await (await fetch(`${testbed.gateway.url}/metrics`, { headers })).text()),
    { deadlineMs: 120_000, pauseMs: 200 },
  );
  return testbed;
};

/** The cost of a call with one gateway process and with four. */
export const costs: Part = {
  about: 'what a call of each kind costs with one gateway process and with four',
  async run(scope, { share }) {
    const testbeds: Testbed[] = [];
    for (const count of COUNTS) testbeds.push(await start(scope, count));
    const generator = startGenerator(scope);
    const verdicts: Verdict[] = [];
    const rises: number[] = [];
    for (const [kind, requests] of KINDS) {
      const turns = testbeds.map((testbed, i) => ({
        ...testbed,
        name: `${kind}, ${COUNTS[i]} processes`,
        kind,
        // Each process compiles the code for itself, so each gets as many calls as a single one.
        requests: Math.ceil(requests * share) * COUNTS[i]!,
        connections: CONNECTIONS * COUNTS[i]!,
      }));
      const [one, four] = await measureInTurns(generator, turns, Math.ceil(ROUNDS * share));
      rises.push(Math.log(four!.ratio));
      verdicts.push(
        ...costVerdicts(one!),
        ...costVerdicts(four!),
        measured(`${kind}: four processes against one`, four!.ratio, 'times'),
      );
    }
    // The geometric mean over all kinds, because a single kind varies by more than the effect in question.
    const rise = Math.exp(mean(rises));
    return [...verdicts, atMost('a call: four processes against one', rise, RISE_MAX, 'times')];
  },
};
