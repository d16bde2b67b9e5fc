/** Gateway processes on one Postgres import links, are killed repeatedly, and links move from one to another. */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { KillOptions } from '../../links/jobs/victims.ts';
import { killDuringImport, killDuringRemoval } from '../../links/moving/kills.ts';
import { newKeyOf } from '../../links/moving/new-key.ts';
import { moveThereAndBack } from '../../links/moving/round-trip.ts';
import { startGateway } from '../../servers/gateway-process.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { ADMIN_TOKEN } from '../../support/app/app.ts';
import { realDatabaseUrl } from '../../support/database/database.ts';
import { startStores } from '../stack.ts';

const ENV = { RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'warn' } as const;

const victimsOf = async (t: Test, links: number): Promise<KillOptions> => {
  const folder = await temporaryFolder(t);
  const ledger = await startStores(t);
  return {
    ...{ adminToken: ADMIN_TOKEN, links, kills: 2, seed: 1, ledger },
    async start() {
      const env = { ...ledger.env, ...ENV, BATCH_STORE: join(folder, 'batches') };
      const gateway = await startGateway(t, env);
      return {
        url: gateway.url,
        async kill() {
          gateway.process.kill('SIGKILL');
          await gateway.ended;
        },
      };
    },
    say: (text) => t.comment(text),
  };
};

t.test('when gateways are killed during an import, each link is made once', async (t) => {
  const { faults, ...figures } = await killDuringImport(await victimsOf(t, 10_000));
  t.comment(JSON.stringify(figures));
  t.strictSame(faults, []);
});

t.test('a cancelled import leaves nothing or what it counts, whoever is killed meanwhile', async (t) => {
  const { faults, ...figures } = await killDuringRemoval(await victimsOf(t, 10_000));
  t.comment(JSON.stringify(figures));
  t.strictSame(faults, []);
});

t.test('random links lead in another installation where they led', async (t) => {
  const start = async () => {
    const env = {
      ...{ DATABASE_URL: await realDatabaseUrl(), BATCH_STORE: await temporaryFolder(t), ADMIN_TOKEN },
      ...{ ...ENV, PUBLIC_URL: 'http://qr.test' },
    };
    const { url } = await startGateway(t, env);
    return { url, key: await newKeyOf(url, ADMIN_TOKEN) };
  };
  const { faults, ...figures } = await moveThereAndBack({
    ...{ links: 1000, seed: 1, from: await start(), to: await start() },
    say: (text) => t.comment(text),
  });
  t.comment(JSON.stringify(figures));
  t.strictSame(faults, []);
});
