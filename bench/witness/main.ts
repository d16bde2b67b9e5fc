/**
 * `npm run bench:witness` says how much of a latency is the generator's, where it shares the cores with what it loads.
 * The independent generator sends the same load in three arrangements, in turns: as an ordinary process; before all
 * others (a `nice` of -10, which needs root); and on a core of its own, while gateway, Redis and Postgres have the
 * others.
 */
import { availableParallelism } from 'node:os';
import { inScope } from '../../test/servers/scope.ts';
import { startTestbed, type Testbed } from '../../test/servers/testbed.ts';
import { commandLine, misuse } from '../command/main.ts';
import { whole } from '../command/whole.ts';
import { bindToCores } from '../costs/neighbours.ts';
import { childrenOf } from '../cpu.ts';
import { startGenerator } from '../load/fire.ts';
import { parseMix } from '../load/mix.ts';
import { describeMachine } from '../machine.ts';
import { figure, say, table } from '../say.ts';
import { median } from '../stats.ts';
import { type Witnessed, type WitnessLoad, witness } from './witness.ts';

const CONNECTIONS = 64;
const PROCESSES = 2;
const FIRST = -10;
const WARM_UP_REQUESTS = 2000;
const WARM_UP_S = 2;

interface Arrangement {
  readonly name: string;
  readonly generator: Pick<WitnessLoad, 'niceness' | 'core'>;
  /** Whether the servers leave the last core to the generator. */
  readonly isApart: boolean;
}

const cores = availableParallelism();
const ARRANGEMENTS: readonly Arrangement[] = [
  { name: 'shares the cores', generator: {}, isApart: false },
  { name: `goes first (nice ${FIRST})`, generator: { niceness: FIRST }, isApart: false },
  { name: 'has a core of its own', generator: { core: cores - 1 }, isApart: true },
];

const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** Gives the servers all cores, or all but the last one. */
const bindServers = ({ gateway, backends }: Testbed, isApart: boolean): void => {
  const last = isApart ? cores - 2 : cores - 1;
  for (const { pid } of [gateway, backends.redis, backends.postgres])
    for (const one of treeOf(pid)) {
      try {
        bindToCores(one, `0-${last}`);
      } catch {
        // A worker of Postgres has ended meanwhile.
      }
    }
};

const { values } = commandLine({
  name: 'npm run bench:witness',
  about:
    'Says how much of a latency is the generator’s, where it shares the cores with what it loads. The independent generator sends the same load as an ordinary process, before all others (a nice of -10, which needs root), and on a core of its own, while gateway, Redis and Postgres have the others.',
  options: {
    rate: {
      type: 'string',
      default: '500',
      value: 'n',
      least: 1,
      text: 'requests a second, the same in all',
    },
    mix: {
      type: 'string',
      default: 'mixed',
      value: 'mix',
      text: 'recipes with weights, as of npm run capacity',
    },
    seconds: { type: 'string', default: '15', value: 'n', least: 0.5, text: 'seconds of each run' },
    rounds: whole('runs of each arrangement, in turns', 2),
  },
  examples: [['--rate 2000 --mix "redirect=60,render miss 300=40"', 'another load']],
});
const given = parseMix(values.mix);
const mix = typeof given === 'string' ? misuse(given) : given;
const [ratePerS, seconds] = [Number(values.rate), Number(values.seconds)];
const seen = new Map<string, Witnessed[]>(ARRANGEMENTS.map(({ name }) => [name, []]));

await inScope(async (scope) => {
  const machine = describeMachine('postgres');
  say(`${machine.cpu}, ${cores} cores, load ${figure(machine.load)}; ${ratePerS} requests a second`);
  const testbed = await startTestbed(scope, { run: 'witness' });
  const load = { url: testbed.gateway.url, mix, aim: testbed.aim, connections: CONNECTIONS };
  const generator = startGenerator(scope);
  await generator.counted({ ...load, firstSerial: 0, requests: WARM_UP_REQUESTS });
  let firstSerial = WARM_UP_REQUESTS;
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const arrangement of ARRANGEMENTS) {
      bindServers(testbed, arrangement.isApart);
      const times = { ratePerS, seconds, warmUpS: WARM_UP_S, processes: PROCESSES };
      const result = await witness({ ...load, firstSerial, ...times, ...arrangement.generator });
      firstSerial += Math.ceil(ratePerS * (seconds + WARM_UP_S));
      seen.get(arrangement.name)!.push(result);
    }
  }
});

const rows = [...seen].map(([name, runs]) => {
  const middle = (of: (run: Witnessed) => number): string => figure(median(runs.map(of)));
  return [
    name,
    middle(({ goodPerS }) => goodPerS),
    middle(({ latencyMs }) => latencyMs.p50),
    middle(({ latencyMs }) => latencyMs.p99),
    middle(({ latenessMs }) => latenessMs.p50),
    middle(({ latenessMs }) => latenessMs.p99),
    middle((run) => run.generatorCpuMs / 1000 / (run.seconds + WARM_UP_S)),
  ];
});
say(`\nmedians of the rounds; latencies in ms from when a request was due\n`);
say(
  table(
    ['the generator', 'good/s', 'p50', 'p99', 'left late, p50', 'left late, p99', 'generator cores'],
    rows,
  ),
);
