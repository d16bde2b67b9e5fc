/** Short versions of `npm run kills:scans`. */
import t from 'tap';
import { openClickHouse } from '../../../src/clickhouse/client.ts';
import { startClickHouse } from '../../servers/clickhouse/clickhouse.ts';
import { startGateway } from '../../servers/gateway-process.ts';
import { startRedis } from '../../servers/redis.ts';
import { inScope } from '../../servers/scope.ts';
import { startApp } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../../support/database/database.ts';
import { fieldsOf } from '../../support/fields-of.ts';
import { killDuringInserts, type ScanKillOptions } from './kills.ts';

const DATABASE_URL = await realDatabaseUrl();
const server = await startClickHouse(t);
const redis = await startRedis(t);
const env = { DATABASE_URL, REDIS_URL: redis.url, CLICKHOUSE_URL: server.url };
// It makes links, and inserts nothing.
const app = await startApp(t, { DATABASE_URL });
const { sql } = await openFor(t, { url: DATABASE_URL, dataDir: '' });
const clickhouse = await openClickHouse(server.url);
t.teardown(clickhouse.close);

const killed = async (victim: ScanKillOptions['victim']) => {
  const { bulk } = await newClient(app);
  const { results } = await bulk(Array.from({ length: 20 }, (_, i) => `https://example.com/${i}`));
  const slugs = fieldsOf(results, 'slug') as string[];
  return inScope((scope) => {
    const start = async () => {
      const gateway = await startGateway(scope, env);
      return {
        url: gateway.url,
        async kill() {
          gateway.process.kill('SIGKILL');
          await gateway.ended;
        },
      };
    };
    const parts = { slugs, server, clickhouse, sql, redisUrl: redis.url, start, say: () => {} };
    return killDuringInserts({ ...parts, victim, kills: 2, seed: 1 });
  });
};

for (const victim of ['gateway', 'server'] as const)
  t.test(`a ${victim} that is killed while it inserts loses and doubles no scan`, async (t) => {
    const { answered, faults } = await killed(victim);
    t.ok(answered > 100, `${answered} visits`);
    t.strictSame(faults, []);
  });
