/** `npm run kills:scans`; test/clickhouse/stream/kills.test.ts runs a shorter version. */
import { say } from '../../../bench/say.ts';
import { openClickHouse } from '../../../src/clickhouse/client.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { killDuringInserts, type ScanKillOptions } from '../../clickhouse/stream/kills.ts';
import { createAccount, createLinks } from '../../servers/account.ts';
import { startClickHouse } from '../../servers/clickhouse/clickhouse.ts';
import { startGateway } from '../../servers/gateway-process.ts';
import { inScope } from '../../servers/scope.ts';
import { ADMIN_TOKEN, startBackends } from '../../servers/testbed.ts';
import { commandLine, whole } from '../../support/command.ts';
import { silent } from '../../support/silent-log.ts';

const { values } = commandLine({
  name: 'npm run kills:scans',
  about:
    'Kills a gateway, and then ClickHouse, while they insert scans, on its own Postgres, Redis and ClickHouse, as another gateway answers visits. Exits with 1 unless ClickHouse and the totals in Postgres have each visit that was answered, once.',
  options: {
    kills: whole('SIGKILLs of each of the two', 20),
    seed: whole('the seed of the times of the kills', 1, 0),
  },
  examples: [['--kills 2', 'a short run']],
});

await inScope(async (scope) => {
  const { redis, postgres } = await startBackends(scope);
  const server = await startClickHouse(scope);
  const DATABASE_URL = await postgres.createDatabase('kills');
  const env = { DATABASE_URL, REDIS_URL: redis.url, CLICKHOUSE_URL: server.url, ADMIN_TOKEN };
  const start = async () => {
    const { url, process: child, ended } = await startGateway(scope, env);
    const kill = async () => {
      child.kill('SIGKILL');
      await ended;
    };
    return { url, kill };
  };
  const first = await start();
  const { key } = await createAccount(first.url, ADMIN_TOKEN, 'kills');
  const options = { url: DATABASE_URL, dataDir: '' };
  const database = await openDatabase(options, silent);
  scope.teardown(database.close);
  const clickhouse = await openClickHouse(server.url);
  scope.teardown(clickhouse.close);
  const both: ScanKillOptions['victim'][] = ['gateway', 'server'];
  let broken = 0;
  const links = new Map<string, readonly string[]>();
  for (const victim of both) links.set(victim, await createLinks(first.url, key));
  await first.kill();
  for (const victim of both) {
    const parts = { server, clickhouse, sql: database.sql, redisUrl: redis.url, start, say };
    const { kills, seed } = { kills: Number(values.kills), seed: Number(values.seed) };
    const run = { ...parts, victim, kills, seed, slugs: links.get(victim)! };
    const { answered, faults } = await killDuringInserts(run);
    say(`${victim} killed ${kills} times: ${answered} visits answered, ${faults.length} faults`);
    for (const fault of faults) say(`BROKEN: ${fault}`);
    broken += faults.length;
  }
  process.exitCode = broken === 0 ? 0 : 1;
});
