/** What calls cost gateways that are set up in different ways. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { allServe, startTestbed, type Target } from '../../test/servers/testbed.ts';
import { startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { atMost, measured } from '../say.ts';
import { mean } from '../stats.ts';
import { type Cost, measureInTurns, type Part } from './part.ts';

/** A gateway with this many processes, each with one render thread. */
interface Variant {
  readonly name: string;
  readonly processes: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Kinds of calls, and how many make a round. */
type Kinds = readonly (readonly [RecipeName, requests: number])[];

const RISE_MAX = 1.1;

/** Starts it and waits until all of its processes serve. */
const start = async (scope: Scope, { processes, env }: Variant): Promise<Target> => {
  const all = { GATEWAYS: String(processes), RENDER_THREADS: '1', ...env };
  const target = await startTestbed(scope, { run: 'gateways', env: all });
  await allServe(target.gateway.url, processes);
  return target;
};

/** Measures each kind with each variant, the first being compared with. Starts the variants in the order of `order`. */
const costsOf = (
  variants: readonly Variant[],
  order: readonly Variant[],
  kinds: Kinds,
  { share, rounds, connections }: Readonly<Record<'share' | 'rounds' | 'connections', number>>,
): Promise<readonly (readonly [RecipeName, readonly Cost[]])[]> =>
  inScope(async (scope) => {
    const targets = new Map<Variant, Target>();
    for (const variant of order) targets.set(variant, await start(scope, variant));
    const generator = startGenerator(scope);
    const costs: (readonly [RecipeName, readonly Cost[]])[] = [];
    for (const [kind, requests] of kinds) {
      const turns = variants.map((variant) => ({
        ...{ ...targets.get(variant)!, name: `${kind}, ${variant.name}`, kind },
        // Each process compiles the code for itself and draws in groups, so each gets as much as a single one.
        requests: Math.ceil(requests * share) * variant.processes,
        connections: connections * variant.processes,
      }));
      costs.push([kind, await measureInTurns(generator, turns, Math.ceil(rounds * share))]);
    }
    return costs;
  });

const COUNTS = [1, 4].map((processes) => ({ name: `${processes} processes`, processes }));
const COSTS: Kinds = [
  ['redirect', 8000],
  ['render hit 300', 4000],
  ['render miss 300', 3000],
  ['single plain', 3000],
  ['single styled', 3000],
  ['bulk 10', 300],
];

/** The cost of a call with one gateway process and with four. */
export const costs: Part = async (_, { share }) => {
  const all = await costsOf(COUNTS, COUNTS, COSTS, { share, rounds: 4, connections: 32 });
  const ratios = all.map(([, [, four]]) => four!.ratio);
  // The geometric mean over all kinds, because a single kind varies by more than the effect in question.
  const rise = Math.exp(mean(ratios.map(Math.log)));
  return [
    ...all.flatMap(([, both]) => both.flatMap(({ verdicts }) => verdicts)),
    ...all.map(([kind], i) => measured(`${kind}: four processes against one`, ratios[i]!, 'times')),
    atMost('a call: four processes against one', rise, RISE_MAX, 'times'),
  ];
};

const TRACED: Kinds = [
  ['redirect', 12_000],
  ['render hit 300', 6000],
  ['single plain', 2000],
];

/** The cost of tracing at several shares of recorded traces. */
export const tracing: Part = async (scope, { share }) => {
  // A collector that accepts everything and stores nothing.
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => server.close());
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OTEL_TRACES_SAMPLER: 'traceidratio',
  };
  const variants: readonly Variant[] = [
    { name: 'without', processes: 1 },
    ...['0', '0.01', '1'].map((traced) => ({
      ...{ name: `share ${traced}`, processes: 1, env: { ...env, OTEL_TRACES_SAMPLER_ARG: traced } },
    })),
  ];
  // A gateway that starts after another costs more, whatever it does, so the order is also measured reversed.
  const options = { share, rounds: 9, connections: 16 };
  const one = await costsOf(variants, variants, TRACED, options);
  const other = await costsOf(variants, variants.toReversed(), TRACED, options);
  return one.flatMap(([, costs], i) =>
    costs.slice(1).map(({ name, ratio }, n) => {
      const reversed = other[i]![1][n + 1]!.ratio;
      return measured(`${name} against without`, Math.sqrt(ratio * reversed), 'times');
    }),
  );
};
