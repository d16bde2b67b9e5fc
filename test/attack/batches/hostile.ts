/** `npm run attack:batches`; `test/batches/hostile.test.ts` runs smaller versions of the same attacks. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../../../bench/say.ts';
import { CASES, FULL, QUICK } from '../../batches/hostile/cases.ts';
import { runHostile } from '../../batches/hostile/run.ts';
import { inScope } from '../../servers/scope.ts';
import { ADMIN_TOKEN, startBackends, startGateway } from '../../servers/testbed.ts';
import { commandLine, flag, misuse, texts } from '../../support/command.ts';

const { values } = commandLine({
  name: 'npm run attack:batches',
  about:
    'Sends hostile batches to a gateway of its own: lines of 100 MB, ten million empty rows, gzip that expands to gigabytes, 2 GB of rows, 2,000 batches, uploads that stall. Exits with 1 when a check failed: the answer or the error, the memory of the gateway (at most 250 MB above idle), units, files in the store, or the calls of another account.',
  options: {
    only: texts('name', 'one case'),
    quick: flag('sends only as much as the test does'),
  },
  examples: [['--quick', 'a rough answer']],
});
const unknown = values.only.find((wanted) => !CASES.some(({ name }) => name === wanted));
if (unknown !== undefined)
  misuse(`there is no case ${unknown}; there are ${CASES.map(({ name }) => name).join(', ')}`);

await inScope(async (scope) => {
  const backends = await startBackends(scope);
  const store = join(backends.folder, 'batches');
  await mkdir(store);
  const [rowsMax, openMax] = [20_000, 20];
  const gateway = await startGateway(scope, backends, {
    database: 'hostile',
    env: {
      REDIS_URL: backends.redis.url,
      BATCH_STORE: store,
      BATCH_ROWS_MAX: String(rowsMax),
      BATCHES_OPEN_MAX: String(openMax),
      PUBLIC_URL: 'http://qr.test',
      RENDER_THREADS: '1',
    },
  });
  const target = { url: gateway.url, adminToken: ADMIN_TOKEN, store, rowsMax, openMax };
  const cases = CASES.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  let broken = 0;
  await runHostile(target, gateway.pid, cases, {
    scale: values.quick ? QUICK : FULL,
    onVerdict({ name, peakMegabytes, slowestMs, seconds, faults }) {
      say(`${name}: ${peakMegabytes} MB, another account waits ${slowestMs} ms, ${seconds.toFixed(1)} s`);
      for (const fault of faults) say(`    BROKEN: ${fault}`);
      broken += faults.length;
    },
  });
  process.exitCode = broken === 0 ? 0 : 1;
});
