import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { startBackends, startTarget } from '../../test/servers/testbed.ts';
import { startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { measured } from '../verdict.ts';
import type { Part } from './part.ts';
import { measureInTurns } from './turns.ts';

/** Kinds of calls, and how many make a round. */
const KINDS: readonly (readonly [RecipeName, requests: number])[] = [
  ['redirect', 12_000],
  ['render hit 300', 6000],
  ['single plain', 2000],
];
const ROUNDS = 9;
const WITHOUT = 'without';
/** Shares of recorded traces, by the name of the gateway; the first one has no collector. */
const SHARES: readonly (readonly [name: string, share: string | null])[] = [
  [WITHOUT, null],
  ...['0', '0.01', '1'].map((share) => [`share ${share}`, share] as const),
];

/** A collector that accepts everything and stores nothing. */
const startCollector = async (scope: Scope): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Starts the gateways in this order. Returns the ratios to the one without a collector, by kind and name. */
const ratiosOf = (shares: typeof SHARES, share: number): Promise<ReadonlyMap<string, number>> =>
  inScope(async (scope) => {
    const backends = await startBackends(scope);
    const collector = await startCollector(scope);
    const generator = startGenerator(scope);
    const targets = [];
    for (const [name, traced] of shares) {
      const tracing = {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector,
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: traced ?? '',
      };
      const env = { REDIS_URL: backends.redis.url, RENDER_THREADS: '1', ...(traced !== null && tracing) };
      const database = `tracing_${name.replaceAll(/\W/g, '')}`;
      targets.push({ ...(await startTarget(scope, backends, { database, env, run: name })), name });
    }
    // The other turns are compared with the first one.
    targets.sort((a, b) => Number(b.name === WITHOUT) - Number(a.name === WITHOUT));
    const ratios = new Map<string, number>();
    for (const [kind, calls] of KINDS) {
      const load = { backends: {}, kind, requests: Math.ceil(calls * share), connections: 16 };
      const turns = targets.map((target) => ({ ...target, ...load }));
      for (const { name, ratio } of await measureInTurns(generator, turns, Math.ceil(ROUNDS * share)))
        ratios.set(`${kind}: ${name}`, ratio);
    }
    return ratios;
  });

/** The cost of tracing for a gateway. */
export const tracing: Part = async (_, { share }) => {
  // A gateway that starts after another costs more, whatever it does, so the order is also measured reversed.
  const [one, other] = [await ratiosOf(SHARES, share), await ratiosOf(SHARES.toReversed(), share)];
  return [...one]
    .filter(([name]) => !name.endsWith(`: ${WITHOUT}`))
    .map(([name, ratio]) =>
      measured(`${name} against without`, Math.sqrt(ratio * other.get(name)!), 'times'),
    );
};
