/** `npm run soak` loads a gateway and its stores for a long time, and reports growth. */
import { Redis } from 'ioredis';
import { openDatabase } from '../src/db/database.ts';
import { SILENT } from '../src/log.ts';
import { inScope } from '../test/servers/scope.ts';
import { ADMIN_TOKEN, startTestbed } from '../test/servers/testbed.ts';
import { commandLine } from './command/main.ts';
import { SOAK } from './commands.ts';
import { rssBytes } from './cpu.ts';
import { startGenerator } from './load/fire.ts';
import { MIXED, needsOf } from './load/mix.ts';
import { failuresOf } from './load/tally.ts';
import { figure, say, show, tableOf } from './say.ts';
import { mean } from './stats.ts';

const SLICE_S = 10;
const CONNECTIONS = 64;
const UNDER_WAY_MAX = 512;
const GROWTH_MAX = 0.1;
const LAG_MAX_S = 1;
const CODES_A_DAY = 10_000_000;
const DAYS_A_YEAR = 365;
const GIGABYTE = 1e9;

const { values: options } = commandLine(SOAK);
const slices = Math.max(2, Math.round((Number(options.minutes) * 60) / SLICE_S));
const ratePerS = Number(options.rate);

/** A measurement at the end of a slice of the load. */
interface Sample {
  readonly gatewayBytes: number;
  readonly redisBytes: number;
  readonly lagS: number;
}

/** Growth from the third quarter to the last, as a share. */
const growthOf = (values: readonly number[]): number => {
  const half = values.slice(values.length >> 1);
  const [before, after] = [half.slice(0, half.length >> 1), half.slice(half.length >> 1)];
  return mean(after) / mean(before) - 1;
};

const lagOf = async (url: string): Promise<number> => {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } });
  return Number(/^tessera_quota_drain_lag_seconds (\S+)/m.exec(await answer.text())?.[1]);
};

const usedMemory = async (redis: Redis): Promise<number> =>
  Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);

await inScope(async (scope) => {
  const { backends, gateway, aim } = await startTestbed(scope, { run: 'soak', needs: needsOf(MIXED) });
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
  let [codes, failures, dropped] = [0, 0, 0];
  for (let slice = 1; slice <= slices; slice += 1) {
    const load = { url: gateway.url, mix: MIXED, aim, connections: CONNECTIONS };
    const result = await generator.open({ ...load, ratePerS, seconds: SLICE_S, underWayMax: UNDER_WAY_MAX });
    codes += result.tally.codes;
    failures += failuresOf(result.tally);
    dropped += result.dropped;
    samples.push({
      gatewayBytes: rssBytes(gateway.pid),
      redisBytes: await usedMemory(redis),
      lagS: await lagOf(gateway.url),
    });
    const { gatewayBytes, redisBytes, lagS } = samples.at(-1)!;
    say(
      `${slice * SLICE_S} s: ${codes} codes, p99 ${figure(result.latencyMs.p99)} ms, gateway ${figure(gatewayBytes / 1e6)} MB, Redis ${figure(redisBytes / 1e6)} MB, lag ${figure(lagS)} s`,
    );
  }

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
    redis: growthOf(samples.map(({ redisBytes }) => redisBytes)),
  };
  const lagS = Math.max(...samples.map((sample) => sample.lagS));
  say();
  say(`${codes} codes, ${failures} failures, ${dropped} requests not sent`);
  say(`growth in the second half: gateway ${figure(growth.gateway)}, Redis ${figure(growth.redis)}`);
  say(`longest lag of the drain: ${figure(lagS)} s`);
  const isFine =
    failures === 0 && growth.gateway <= GROWTH_MAX && growth.redis <= GROWTH_MAX && lagS <= LAG_MAX_S;
  process.exitCode = isFine ? 0 : 1;
});
