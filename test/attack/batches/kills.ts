/**
 * `npm run kills:batches` kills gateways while they make a batch, on a Postgres, a Redis and a folder of its own.
 *
 * Ends with 1 unless every row is made once, under a short link of its own, with the files that its manifest says, for one
 * unit each, and nothing is held afterwards.
 */

import { join } from 'node:path';
import { commandLine } from '../../../bench/command/main.ts';
import { whole } from '../../../bench/command/whole.ts';
import { killGateways } from '../../batches/kills/kills.ts';
import { startNodeServer } from '../../servers/node-server.ts';
import { inScope } from '../../servers/scope.ts';
import { ADMIN_TOKEN, OWN_BUILD, startBackends } from '../../servers/testbed.ts';
import { until } from '../../servers/until.ts';
import { openLedger } from '../../support/database/ledger.ts';

const { values } = commandLine({
  name: 'npm run kills:batches',
  about:
    'Kills gateways while they make a batch, on a Postgres, a Redis and a folder of its own. Ends with 1 unless every row is made once, under a short link of its own, with the files that its manifest says, for one unit each, and nothing is held afterwards.',
  options: {
    rows: whole('rows of the batch', 50_000),
    kills: whole(
      'SIGKILLs of one of the two gateways, at random; Redis is emptied after half of them',
      20,
      0,
    ),
    seed: whole('who is killed when', 1, 0),
  },
  examples: [['--rows 2000 --kills 3', 'a short run']],
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Some milliseconds a row, so that the batch outlives the restarts of twenty gateways. */
const DESIGN = {
  width: 500,
  height: 500,
  dotsOptions: {
    gradient: {
      colorStops: [
        { offset: 0, color: 'red' },
        { offset: 1, color: 'navy' },
      ],
    },
  },
};

const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

await inScope(async (scope) => {
  const { folder, redis, postgres } = await startBackends(scope);
  const databaseUrl = await postgres.createDatabase('kills');
  const start = async () => {
    const server = await startNodeServer(scope, folder, {
      name: 'kills',
      script: join(OWN_BUILD, 'src/server.js'),
      readyPath: '/readyz',
      flags: ['--enable-source-maps', '--max-semi-space-size=16'],
      env: {
        DATABASE_URL: databaseUrl,
        REDIS_URL: redis.url,
        DATA_DIR: folder,
        BATCH_STORE: join(folder, 'batches'),
        PUBLIC_URL: 'http://qr.test',
        RENDER_THREADS: '1',
        RATE_LIMIT_PER_SECOND: '0',
        LOG_LEVEL: 'warn',
        ADMIN_TOKEN,
      },
    });
    const kill = async () => {
      process.kill(server.pid, 'SIGKILL');
      await until(() => hasEnded(server.pid), { pauseMs: 5 });
    };
    return { url: server.url, kill };
  };
  // A gateway makes the schema that the ledger reads.
  const first = await start();
  const waiting = [first];
  const verdict = await killGateways({
    adminToken: ADMIN_TOKEN,
    rows: Number(values.rows),
    kills: Number(values.kills),
    seed: Number(values.seed),
    design: DESIGN,
    ledger: await openLedger(scope, { redisUrl: redis.url, databaseUrl }),
    folder,
    sampled: 500,
    start: async () => waiting.pop() ?? start(),
    say,
  });
  const { faults, ...figures } = verdict;
  say(JSON.stringify(figures));
  for (const fault of faults) say(`BROKEN: ${fault}`);
  if (faults.length === 0)
    say('Every row once, every slug once, every SHA-256 right, every unit accounted for.');
  process.exitCode = faults.length === 0 ? 0 : 1;
});
