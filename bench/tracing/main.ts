/**
 * `npm run bench:tracing` measures what tracing costs a gateway: the processor time of one call without a collector,
 * and with one at several shares of recorded traces. Rounds of all gateways alternate, and the median ratio of a round
 * to that of the gateway without counts, so other work on the machine falls on all of them alike. All is done twice,
 * with the gateways started in the opposite order.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccount, createAim } from '../../test/servers/account.ts';
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { ADMIN_TOKEN, type Backends, startBackends, startGateway } from '../../test/servers/testbed.ts';
import { commandLine } from '../command/main.ts';
import { whole } from '../command/whole.ts';
import { type Generator, startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { figure, say, table } from '../say.ts';
import { spentMs, usOfEach } from '../spent.ts';
import { median, pairedRatios } from '../stats.ts';

const KINDS: readonly { readonly name: RecipeName; readonly requests: number }[] = [
  { name: 'redirect', requests: 12_000 },
  { name: 'render hit 300', requests: 6000 },
  { name: 'single plain', requests: 2000 },
];
const CONNECTIONS = 16;
const WARM_UP_ROUNDS = 2;

const { values } = commandLine({
  name: 'npm run bench:tracing',
  about:
    'Measures what tracing costs a gateway: the processor time of one call without a collector, and with one at several shares of recorded traces. Rounds of all gateways alternate, and the median ratio of a round to that of the gateway without a collector counts. It starts its own stores, gateways and collector.',
  options: {
    rounds: whole('rounds of each kind in each of two orders; the median counts', 9),
    before: {
      type: 'string',
      value: 'dist',
      text: 'the build of an earlier version, which is measured too',
    },
  },
  examples: [
    ['--rounds 3', 'a rough answer'],
    ['--before ../earlier/dist', 'also an earlier version, built in a checkout beside this one'],
  ],
});

/** A collector that takes everything and keeps nothing. */
const startCollector = async (scope: Scope): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  scope.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const WITHOUT = 'without';

const traced = (share: string) => ({
  OTEL_TRACES_SAMPLER: 'traceidratio',
  OTEL_TRACES_SAMPLER_ARG: share,
});

const startSubject = async (
  scope: Scope,
  backends: Backends,
  name: string,
  options: { readonly env?: Readonly<Record<string, string>>; readonly build?: string },
) => {
  const database = `tracing_${name.replaceAll(/\W/g, '')}`;
  const env = { REDIS_URL: backends.redis.url, RENDER_THREADS: '1', ...options.env };
  const gateway = await startGateway(scope, backends, { ...options, database, env });
  const { key } = await createAccount(gateway.url, ADMIN_TOKEN, 'bench');
  return { name, gateway, aim: await createAim(gateway.url, key, name), firstSerial: 0 };
};

interface Asked {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly build?: string;
}

/** By the name of a gateway: microseconds of its processor time for one call, round by round. */
type Spent = Readonly<Record<string, number[]>>;

type Subject = Awaited<ReturnType<typeof startSubject>>;

/** Sends requests of one kind, and returns the microseconds that one of them took. */
const spentOn = async (
  generator: Generator,
  subject: Subject,
  { name, requests }: (typeof KINDS)[number],
) => {
  const { gateway, aim, firstSerial } = subject;
  const before = spentMs(gateway.pid, {});
  const load = { url: gateway.url, mix: [[name, 1]] as const, aim, firstSerial, requests };
  const { tally, nextSerial } = await generator.counted({ ...load, connections: CONNECTIONS });
  if (tally.good < requests * 0.99)
    throw new Error(`${subject.name}: ${tally.good} of ${requests} are right`);
  subject.firstSerial = nextSerial;
  const { loops, threads } = usOfEach(before, spentMs(gateway.pid, {}), requests);
  return loops + threads;
};

/** Starts the gateways in this order and measures them in turns. Returns what they spent by the kind of call. */
const measure = (asked: readonly Asked[], rounds: number): Promise<ReadonlyMap<string, Spent>> =>
  inScope(async (scope) => {
    const backends = await startBackends(scope);
    const endpoint = await startCollector(scope);
    const generator = startGenerator(scope);
    const subjects: Subject[] = [];
    for (const { name, env, build } of asked) {
      const more = env === undefined ? {} : { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } };
      subjects.push(
        await startSubject(scope, backends, name, { ...more, ...(build === undefined ? {} : { build }) }),
      );
    }
    const all = new Map<string, Spent>();
    for (const kind of KINDS) {
      const spent = Object.fromEntries(subjects.map(({ name }) => [name, [] as number[]]));
      for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
        // Each begins as often as the others.
        const first = (round + WARM_UP_ROUNDS) % subjects.length;
        for (const n of subjects.map((_, at) => (at + first) % subjects.length)) {
          const us = await spentOn(generator, subjects[n]!, kind);
          if (round >= 0) spent[subjects[n]!.name]!.push(us);
        }
      }
      all.set(kind.name, spent);
    }
    return all;
  });

const asked: readonly Asked[] = [
  { name: WITHOUT },
  ...(values.before === undefined ? [] : [{ name: 'before', build: values.before }]),
  ...['0', '0.01', '1'].map((share) => ({ name: share, env: traced(share) })),
];
const rounds = Number(values.rounds);
// A gateway that is started after another costs more, whatever it does, so each order has its opposite.
const halves = [await measure(asked, rounds), await measure([...asked].reverse(), rounds)];
const rows = KINDS.map(({ name: kind }) => {
  const spentBy = (name: string) => halves.map((half) => half.get(kind)![name]!);
  const without = spentBy(WITHOUT);
  const ratioOf = (name: string) => {
    const ratios = spentBy(name).map((spent, half) => median(pairedRatios(spent, without[half]!)));
    return Math.sqrt(ratios[0]! * ratios[1]!).toFixed(2);
  };
  const others = asked.filter(({ name }) => name !== WITHOUT);
  return [kind, figure(median(without.flat())), ...others.map(({ name }) => ratioOf(name))];
});
say(
  'microseconds of processor time of a gateway for one call without a collector, and the ratios to it of the others\n',
);
say(table(['', ...asked.map(({ name }) => name)], rows));
