import t from 'tap';
import { startGateway } from '../servers/gateway-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { CASES, QUICK } from './hostile/cases.ts';
import { runHostile } from './hostile/run.ts';

t.test('hostile batches are refused or fail, and affect nobody else', { timeout: 900_000 }, async (t) => {
  const store = await temporaryFolder(t);
  const [rowsMax, openMax] = [5000, 4];
  const gateway = await startGateway(t, {
    DATABASE_URL: await realDatabaseUrl(),
    BATCH_STORE: store,
    BATCH_ROWS_MAX: String(rowsMax),
    BATCHES_OPEN_MAX: String(openMax),
    PUBLIC_URL: 'http://qr.test',
    LOG_LEVEL: 'warn',
    ADMIN_TOKEN,
    RATE_LIMIT_PER_SECOND: '0',
  });
  const target = { url: gateway.url, adminToken: ADMIN_TOKEN, store, rowsMax, openMax };
  await runHostile(target, gateway.process.pid!, CASES, {
    scale: QUICK,
    onVerdict({ name, peakMegabytes, slowestMs, seconds, faults }) {
      t.comment(
        `${name}: ${peakMegabytes} MB, another account waits ${slowestMs} ms, ${seconds.toFixed(1)} s`,
      );
      t.strictSame(faults, [], name);
    },
  });
  t.equal(gateway.process.exitCode, null, 'the gateway still runs');
  t.notMatch(gateway.output(), /"level":(50|60)/, 'and has logged no error');
});
