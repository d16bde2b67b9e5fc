/** `npm run kills:links`; test/faults/links run shorter versions. */
import { join } from 'node:path';
import { say } from '../../../bench/say.ts';
import { killDuringJob } from '../../links/jobs/kills.ts';
import type { KillOptions } from '../../links/jobs/victims.ts';
import { killDuringImport, killDuringRemoval } from '../../links/moving/kills.ts';
import { inScope } from '../../servers/scope.ts';
import { ADMIN_TOKEN, startBackends, startGateway } from '../../servers/testbed.ts';
import { commandLine, Misuse, textOr, whole } from '../../support/command.ts';
import { openLedger } from '../../support/database/ledger.ts';

interface Figures {
  readonly faults: readonly string[];
}

const DURING: Readonly<Record<string, (options: KillOptions) => Promise<Figures>>> = {
  change: killDuringJob,
  import: killDuringImport,
  removal: killDuringRemoval,
};

const { values } = commandLine({
  name: 'npm run kills:links',
  about:
    'Kills gateways while they work on a link job, on its own Postgres, Redis and folder, and says how long the job takes. Exits with 1 unless each link is made, changed or removed once.',
  options: {
    during: textOr(
      'what',
      'import',
      `what the job does: ${Object.keys(DURING).join(', ')}; change is also undone`,
    ),
    links: whole('links of the job', 1_000_000),
    kills: whole('SIGKILLs of one of the two gateways, at random', 10, 0),
    seed: whole('the seed of the times and victims of the kills', 1, 0),
  },
  examples: [['--during change --links 100000 --kills 0', 'a job that nothing disturbs']],
  read: ({ during }: { readonly during: string }) => {
    if (DURING[during] === undefined)
      throw new Misuse(`--during must be one of ${Object.keys(DURING).join(', ')}`);
  },
});

await inScope(async (scope) => {
  const backends = await startBackends(scope);
  const { folder, redis, postgres } = backends;
  const databaseUrl = await postgres.createDatabase('kills');
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    BATCH_STORE: join(folder, 'batches'),
    PUBLIC_URL: 'http://qr.test',
    RENDER_THREADS: '1',
    RATE_LIMIT_PER_SECOND: '0',
    FREE_WORK_MS_PER_SECOND: '0',
  };
  const start = async () => {
    const { url, pid, stop } = await startGateway(scope, backends, { database: 'kills', env });
    return {
      url,
      async kill() {
        process.kill(pid, 'SIGKILL');
        await stop();
      },
    };
  };
  // The gateway creates the schema that the ledger reads.
  const waiting = [await start()];
  const ledger = await openLedger(scope, { redisUrl: redis.url, databaseUrl });
  const { faults, ...figures } = await DURING[values.during]!({
    adminToken: ADMIN_TOKEN,
    links: Number(values.links),
    kills: Number(values.kills),
    seed: Number(values.seed),
    ledger,
    start: async () => waiting.pop() ?? start(),
    say,
  });
  say(JSON.stringify(figures));
  for (const fault of faults) say(`BROKEN: ${fault}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
});
