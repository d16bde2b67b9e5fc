/** Two gateway processes on one Postgres work on a link job, and are killed repeatedly while it runs and is undone. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { killDuringJob } from '../../links/jobs/kills.ts';
import { startGateway } from '../../servers/gateway-process.ts';
import { ADMIN_TOKEN } from '../../support/app/app.ts';
import { startStores } from '../stack.ts';

t.test('when gateways are killed during a link job, each link is changed once, and back once', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-link-jobs-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const ledger = await startStores(t);
  const { faults, ...figures } = await killDuringJob({
    adminToken: ADMIN_TOKEN,
    links: 10_000,
    kills: 2,
    seed: 1,
    ledger,
    async start() {
      const gateway = await startGateway(t, {
        ...ledger.env,
        BATCH_STORE: join(folder, 'batches'),
        RATE_LIMIT_PER_SECOND: '0',
        LOG_LEVEL: 'warn',
      });
      return {
        url: gateway.url,
        async kill() {
          gateway.process.kill('SIGKILL');
          await gateway.ended;
        },
      };
    },
    say: (text) => t.comment(text),
  });
  t.comment(JSON.stringify(figures));
  t.strictSame(faults, []);
});
