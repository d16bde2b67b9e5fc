/** `npm run soak` loads a gateway and its stores for a long time, and reports growth. */
import { Redis } from 'ioredis';
import { openDatabase } from '../src/db/database.ts';
import { SILENT } from '../src/log.ts';
import { inScope, type Scope } from '../test/servers/scope.ts';
import { startTestbed } from '../test/servers/testbed.ts';
import { commandLine } from '../test/support/command.ts';
import { rssBytes } from './cpu.ts';
import { startGenerator } from './load/fire.ts';
import type { OpenResult } from './load/job.ts';
import { connectionsFor, needsOf } from './load/mix.ts';
import { describeWitness, faultsOfSteady, metricOf, watch } from './load/open/witness.ts';
import { chainResults } from './load/outcomes.ts';
import { kindTable } from './reports/tables.ts';
import { figure, say, show, tableOf } from './say.ts';
import { growthOf, SOAK, type Soak, verdictOf } from './soak-rules.ts';

const CONNECTIONS = 64;
/** So many connections let each request take this long at the usual rate. */
const CONNECTED_S = 0.1;
const UNDER_WAY_MAX = 512;
const CODES_A_DAY = 10_000_000;
const DAYS_A_YEAR = 365;
const GIGABYTE = 1e9;

/** A measurement at the end of a slice of the load. */
type Sample = Readonly<Record<'gatewayBytes' | 'redisBytes' | 'lagS', number>>;

const usedMemory = async (redis: Redis): Promise<number> =>
  Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);

/** Loads, prints what grew, and returns the exit code. */
const soak = async (scope: Scope, { mix, slo, slices, ...rate }: Soak): Promise<number> => {
  const { backends, gateway, aim } = await startTestbed(scope, { run: 'soak', needs: needsOf(mix) });
  const generator = startGenerator(scope);
  const redis = new Redis(backends.redis.url);
  scope.teardown(() => redis.disconnect());
  const databaseUrl = Object.assign(new URL(backends.postgres.url), { pathname: '/bench' }).href;
  const database = await openDatabase({ url: databaseUrl, dataDir: '' }, SILENT);
  scope.teardown(() => database.close());
  const sizes = async (): Promise<ReadonlyMap<string, number>> => {
    const rows = await database.sql<{ name: string; bytes: number }[]>`
      select relname as name, pg_total_relation_size(oid) as bytes from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`;
    return new Map(rows.map(({ name, bytes }) => [name, bytes]));
  };

  const before = await sizes();
  const samples: Sample[] = [];
  const results: OpenResult[] = [];
  let codes = 0;
  const most = Math.max(CONNECTIONS, Math.ceil(rate.ratePerS * CONNECTED_S));
  const connections = connectionsFor(mix, aim, Math.min(UNDER_WAY_MAX, most));
  const load = { url: gateway.url, mix, aim, connections, underWayMax: UNDER_WAY_MAX };
  const stop = await watch(gateway.url);
  for (let slice = 1; slice <= slices; slice += 1) {
    const result = await generator.open({ ...load, ...rate });
    results.push(result);
    codes += result.tally.codes;
    const [gatewayBytes, redisBytes] = [rssBytes(gateway.pid), await usedMemory(redis)];
    const lagS = await metricOf(gateway.url, 'tessera_quota_drain_lag_seconds');
    samples.push({ gatewayBytes, redisBytes, lagS });
    say(
      `${figure(slice * rate.seconds)} s: ${codes} codes, p99 ${figure(result.latencyMs.p99)} ms, gateway ${figure(gatewayBytes / 1e6)} MB, Redis ${figure(redisBytes / 1e6)} MB, lag ${figure(lagS)} s`,
    );
  }

  const whole = chainResults(results);
  const witness = await stop();
  const faults = faultsOfSteady(whole, witness);
  const after = await sizes();
  const grown = [...after].flatMap(([name, bytes]) => {
    const more = bytes - (before.get(name) ?? 0);
    return more > 0 ? [{ name, more }] : [];
  });
  show(
    tableOf(
      grown.sort((a, b) => b.more - a.more).map((one) => ({ ...one, bytesACode: one.more / codes })),
      [
        ['table', ({ name }) => name],
        ['MB grown', ({ more }) => more / 1e6],
        ['bytes a code', ({ bytesACode }) => bytesACode],
        [
          `GB a year at ${CODES_A_DAY / 1e6} M codes a day`,
          ({ bytesACode }) => (bytesACode * CODES_A_DAY * DAYS_A_YEAR) / GIGABYTE,
        ],
      ],
    ),
  );
  const growth = {
    gateway: growthOf(samples.map(({ gatewayBytes }) => gatewayBytes)),
    Redis: growthOf(samples.map(({ redisBytes }) => redisBytes)),
  };
  const lagS = Math.max(...samples.map((sample) => sample.lagS));
  show(kindTable(whole));
  say(`\n${describeWitness(whole, witness)}`);
  const { code, lines } = verdictOf({ whole, faults, slo, growth, lagS });
  for (const line of lines) say(line);
  return code;
};

await inScope(async (scope) => {
  process.exitCode = await soak(scope, commandLine(SOAK).wanted);
});
