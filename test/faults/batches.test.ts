/**
 * Two gateway processes on one Redis and one Postgres make a batch. They are killed repeatedly while it runs, and
 * Redis is emptied once. `npm run kills:batches` runs a longer version.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { killGateways } from '../batches/kills/kills.ts';
import { startGateway } from '../servers/gateway-process.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { startStores } from './stack.ts';

/** Rows take some milliseconds each, so that the batch is still running when the gateways have restarted. */
const DESIGN = {
  width: 700,
  height: 700,
  dotsOptions: {
    gradient: {
      colorStops: [
        { offset: 0, color: 'red' },
        { offset: 1, color: 'navy' },
      ],
    },
  },
};

t.test('when gateways are killed while a batch runs, nothing is missing or made twice', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-batches-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const ledger = await startStores(t);
  const { faults, ...figures } = await killGateways({
    adminToken: ADMIN_TOKEN,
    rows: 2000,
    kills: 3,
    seed: 1,
    design: DESIGN,
    formats: ['png', 'pdf'],
    ledger,
    folder,
    sampled: 500,
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
