/**
 * `npm run bench:quota` measures what the ledger on Redis costs, on a Redis and a Postgres of its own, and compares it
 * with bare pipelined INCRs and with one INSERT a call.
 * Costs are processor time, which repeats on a busy machine.
 */
import { availableParallelism, cpus } from 'node:os';
import { openDatabase } from '../../src/db/database.ts';
import { SILENT } from '../../src/log.ts';
import { inScope } from '../../test/servers/scope.ts';
import { startBackends } from '../../test/servers/testbed.ts';
import { commandLine } from '../command/main.ts';
import { whole } from '../command/whole.ts';
import { figure, say, table } from '../say.ts';
import { compareDrains } from './drain.ts';
import { compareWithIncr } from './incr.ts';
import { atFullLoad, atRate, insertCosts, openBench, recordBytes, redisBytes } from './record.ts';

/** A day of calls in the record: 50 million at 50 a row. */
const FILLER_ROWS = 1_000_000;
const RATE_PER_S = 5000;
const RATE_SECONDS = 20;
const PEER_CALLS = 20_000;
const MEGABYTE = 1_000_000;

const { values: options } = commandLine({
  name: 'npm run bench:quota',
  about:
    'Measures what the ledger on Redis costs, on a Redis and a Postgres of its own, and compares it with bare pipelined INCRs and with one INSERT a call. Ends with 1 when a wanted figure is missed.',
  options: {
    calls: whole('calls of 20 accounts that the record gets', 1_000_000, 1000),
  },
  examples: [['--calls 100000', 'a rough answer']],
});
const calls = Number(options.calls);

interface Line {
  readonly what: string;
  readonly found: number;
  readonly wanted: number;
  readonly isAtLeast?: boolean;
}

const isMissed = ({ found, wanted, isAtLeast = false }: Line): boolean =>
  isAtLeast ? found < wanted : found > wanted;

const report = (lines: readonly Line[]): void => {
  const rows = lines.map((line) => [
    line.what,
    figure(line.found),
    `${line.isAtLeast ? '>=' : '<='} ${line.wanted}`,
    isMissed(line) ? 'MISSED' : 'met',
  ]);
  say(table(['', 'found', 'wanted', ''], rows));
};

await inScope(async (scope) => {
  const backends = await startBackends(scope);
  const { incrs, pairs } = await compareWithIncr(backends.redis.url);
  const url = await backends.postgres.createDatabase('quota');
  const database = await openDatabase({ url, dataDir: '' }, SILENT);
  scope.teardown(() => database.close());
  const { sql } = database;
  const bench = await openBench(sql, backends);
  scope.teardown(() => bench.quota.close());

  await atFullLoad(bench, 'hit', 20_000);
  const before = { record: await recordBytes(sql), redis: await redisBytes(bench) };
  const hits = await atFullLoad(bench, 'hit', calls);
  const after = { record: await recordBytes(sql), redis: await redisBytes(bench) };
  const misses = await atFullLoad(bench, 'miss', calls / 5);
  const steady = await atRate(bench, RATE_PER_S, RATE_SECONDS);
  const drainRatio = await compareDrains(scope, bench, FILLER_ROWS);
  const peer = await insertCosts(bench, PEER_CALLS);

  const lines: readonly Line[] = [
    {
      what: 'Postgres: MB for a million calls of 20 accounts',
      found: ((after.record - before.record) / MEGABYTE) * (1_000_000 / calls),
      wanted: 1,
    },
    { what: `Postgres: us a call at ${RATE_PER_S} a second`, found: steady.postgresUs, wanted: 2 },
    { what: 'drain with 50 million calls in the record / without', found: drainRatio, wanted: 1.1 },
    { what: 'Redis: us a call, hit', found: hits.redisUs, wanted: 6 },
    {
      what: 'Redis: bytes that a finished call leaves',
      found: (after.redis - before.redis) / calls,
      wanted: 40,
    },
    { what: 'reserve and settle / pipelined INCR', found: pairs / incrs, wanted: 0.4, isAtLeast: true },
    { what: 'drain lag at full load, p99, ms', found: hits.lagP99Ms, wanted: 1000 },
  ];
  say(`${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`);
  report(lines);
  say();
  say(`bare pipelined INCR ${figure(incrs)} a second, reserve and settle ${figure(pairs)}`);
  say(
    `Redis: ${figure(misses.redisUs)} us a miss, ${figure(steady.redisUs)} a hit at ${RATE_PER_S} a second`,
  );
  say(`Postgres: ${figure(hits.postgresUs)} us a hit at full load, ${figure(misses.postgresUs)} a miss`);
  say(`one INSERT a call: ${figure(peer.postgresUs)} us, ${figure(peer.bytes)} bytes`);
  process.exitCode = lines.some(isMissed) ? 1 : 0;
});
