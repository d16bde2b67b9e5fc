import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccount, createAim } from '../../test/servers/account.ts';
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { ADMIN_TOKEN, type Backends, startBackends, startGateway } from '../../test/servers/testbed.ts';
import { startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { measured } from '../verdict.ts';
import type { Part } from './part.ts';
import { measureInTurns, type Turn } from './turns.ts';

const KINDS: readonly (readonly [RecipeName, requests: number])[] = [
  ['redirect', 12_000],
  ['render hit 300', 6000],
  ['single plain', 2000],
];
const ROUNDS = 9;
const WITHOUT = 'without';

/** A collector that accepts everything and stores nothing. */
const startCollector = async (scope: Scope): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** A gateway to measure. `null` as its share of recorded traces means that it has no collector. */
interface Asked {
  readonly name: string;
  readonly share: string | null;
  readonly build?: string;
}

const start = async (
  scope: Scope,
  backends: Backends,
  collector: string,
  { name, share, ...build }: Asked,
) => {
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: share ?? '',
  };
  const gateway = await startGateway(scope, backends, {
    ...build,
    database: `tracing_${name.replaceAll(/\W/g, '')}`,
    env: { REDIS_URL: backends.redis.url, RENDER_THREADS: '1', ...(share === null ? {} : traced) },
  });
  const { key } = await createAccount(gateway.url, ADMIN_TOKEN, 'bench');
  return { name, gateway, backends: {}, aim: await createAim(gateway.url, key, name), connections: 16 };
};

/** Starts the gateways in this order. Returns the ratios to the one without a collector, by kind and name. */
const ratiosOf = (asked: readonly Asked[], share: number): Promise<ReadonlyMap<string, number>> =>
  inScope(async (scope) => {
    const backends = await startBackends(scope);
    const collector = await startCollector(scope);
    const generator = startGenerator(scope);
    const gateways = [];
    for (const one of asked) gateways.push(await start(scope, backends, collector, one));
    // The other turns are compared with the first one.
    gateways.sort((a, b) => Number(b.name === WITHOUT) - Number(a.name === WITHOUT));
    const ratios = new Map<string, number>();
    for (const [kind, requests] of KINDS) {
      const turns = gateways.map(
        (gateway): Turn => ({ ...gateway, kind, requests: Math.ceil(requests * share) }),
      );
      for (const { name, ratio } of await measureInTurns(generator, turns, Math.ceil(ROUNDS * share)))
        ratios.set(`${kind}: ${name}`, ratio);
    }
    return ratios;
  });

/** The cost of tracing for a gateway. */
export const tracing: Part = {
  about: 'the cost of tracing at several shares of recorded traces, compared with no collector',
  async run(_, { share, before }) {
    const asked: readonly Asked[] = [
      { name: WITHOUT, share: null },
      ...(before === null ? [] : [{ name: 'before', share: null, build: before }]),
      ...['0', '0.01', '1'].map((traced) => ({ name: `share ${traced}`, share: traced })),
    ];
    // A gateway that starts after another costs more, whatever it does, so each order is also measured reversed.
    const [one, other] = [await ratiosOf(asked, share), await ratiosOf([...asked].reverse(), share)];
    return [...one]
      .filter(([name]) => !name.endsWith(`: ${WITHOUT}`))
      .map(([name, ratio]) =>
        measured(`${name} against without`, Math.sqrt(ratio * other.get(name)!), 'times'),
      );
  },
};
