/**
 * `npm run bench:tracing` measures what tracing costs a gateway: the processor time of one call without a collector, and with
 * one at several shares of recorded traces. Rounds of all gateways alternate, and the median ratio of a round to that of the
 * gateway without counts, so other work on the machine falls on all of them alike.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccount, createAim } from '../../test/servers/account.ts';
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { ADMIN_TOKEN, type Backends, startBackends, startGateway } from '../../test/servers/testbed.ts';
import { commandLine } from '../command/main.ts';
import { startGenerator } from '../load/fire.ts';
import type { RecipeName } from '../load/recipes.ts';
import { figure, say, table } from '../say.ts';
import { spentMs } from '../spent.ts';

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
    rounds: {
      type: 'string',
      default: '9',
      value: 'n',
      least: 1,
      isWhole: true,
      text: 'rounds of each kind; the median counts',
    },
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

const traced = (endpoint: string, share: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
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

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

await inScope(async (scope) => {
  const backends = await startBackends(scope);
  const endpoint = await startCollector(scope);
  const generator = startGenerator(scope);
  const asked = [
    { name: 'without', options: {} },
    ...(values.before === undefined ? [] : [{ name: 'before', options: { build: values.before } }]),
    ...['0', '0.01', '1'].map((share) => ({ name: share, options: { env: traced(endpoint, share) } })),
  ];
  const subjects: Awaited<ReturnType<typeof startSubject>>[] = [];
  for (const { name, options } of asked) subjects.push(await startSubject(scope, backends, name, options));
  const rows: string[][] = [];
  for (const { name: mixed, requests } of KINDS) {
    const us = subjects.map((): number[] => []);
    for (let round = -WARM_UP_ROUNDS; round < Number(values.rounds); round += 1) {
      // Each begins as often as the others.
      const first = (round + WARM_UP_ROUNDS) % subjects.length;
      for (const n of subjects.map((_, at) => (at + first) % subjects.length)) {
        const subject = subjects[n]!;
        const { gateway, aim, firstSerial } = subject;
        const before = spentMs(gateway.pid, {});
        const load = { url: gateway.url, mix: [[mixed, 1]] as const, aim, firstSerial };
        const { tally, nextSerial } = await generator.counted({
          ...load,
          connections: CONNECTIONS,
          requests,
        });
        if (tally.good < requests * 0.99)
          throw new Error(`${subject.name}: ${tally.good} of ${requests} are right`);
        subject.firstSerial = nextSerial;
        const after = spentMs(gateway.pid, {});
        if (round >= 0)
          us[n]!.push(((after.loops + after.threads - before.loops - before.threads) * 1000) / requests);
      }
    }
    const ratioOf = (n: number) => median(us[n]!.map((spent, round) => spent / us[0]![round]!));
    rows.push([mixed, figure(median(us[0]!)), ...us.slice(1).map((_, n) => ratioOf(n + 1).toFixed(2))]);
    say(rows.at(-1)!.join(' '));
  }
  say(
    '\nmicroseconds of processor time of a gateway for one call without a collector, and the ratios to it of the others\n',
  );
  say(table(['', ...subjects.map(({ name }) => name)], rows));
});
