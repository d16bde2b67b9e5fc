/** `npm run kills:batches`; `test/faults/batches.test.ts` runs a shorter version. */
import { join } from 'node:path';
import { GRADIENT } from '../../../bench/load/styles.ts';
import { say } from '../../../bench/say.ts';
import { killGateways } from '../../batches/kills/kills.ts';
import { inScope } from '../../servers/scope.ts';
import { ADMIN_TOKEN, startBackends, startGateway } from '../../servers/testbed.ts';
import { commandLine, whole } from '../../support/command.ts';
import { openLedger } from '../../support/database/ledger.ts';

const { values } = commandLine({
  name: 'npm run kills:batches',
  about:
    'Kills gateways while they process a batch, on its own Postgres, Redis and folder. Exits with 1 unless every row is made once with a unique short link and the files that the manifest names, costs one unit, and no units are held afterwards.',
  options: {
    rows: whole('rows of the batch', 50_000),
    kills: whole(
      'SIGKILLs of one of the two gateways, at random; Redis is emptied after half of them',
      20,
      0,
    ),
    seed: whole('the seed of the times and victims of the kills', 1, 0),
  },
  examples: [['--rows 2000 --kills 3', 'a short run']],
});

/** Rows take some milliseconds each, so that the batch outlasts twenty restarts of gateways. */
const DESIGN = { ...GRADIENT, width: 500, height: 500 };

await inScope(async (scope) => {
  const backends = await startBackends(scope);
  const { folder, redis, postgres } = backends;
  const databaseUrl = await postgres.createDatabase('kills');
  const start = async () => {
    const env = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      BATCH_STORE: join(folder, 'batches'),
      PUBLIC_URL: 'http://qr.test',
      RENDER_THREADS: '1',
    };
    const { url, pid, stop } = await startGateway(scope, backends, { database: 'kills', env });
    const kill = async () => {
      process.kill(pid, 'SIGKILL');
      await stop();
    };
    return { url, kill };
  };
  // The gateway creates the schema that the ledger reads.
  const first = await start();
  const waiting = [first];
  const verdict = await killGateways({
    adminToken: ADMIN_TOKEN,
    rows: Number(values.rows),
    kills: Number(values.kills),
    seed: Number(values.seed),
    design: DESIGN,
    formats: ['png', 'pdf'],
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
    say('Every row was made once, slugs are unique, every SHA-256 is right and every unit accounted for.');
  process.exitCode = faults.length === 0 ? 0 : 1;
});
