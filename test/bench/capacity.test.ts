/** `npm run capacity` against a running deployment. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createAccount } from '../servers/account.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { startGatewayWithKey } from '../support/app/gateway-with-key.ts';

const SCRIPT = fileURLToPath(new URL('../../dist/bench/capacity/main.js', import.meta.url));
const SHORT = ['--seconds', '0.5', '--soak', '0.5'];
/** On a busy machine no rate may meet the objective, since each step of the search takes half a second. */
const TRIES = 4;

const capacity = (...args: readonly string[]) =>
  new Promise<{ code: number | string; output: string }>((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

t.test('capacity of a running gateway', async (t) => {
  const { url, key } = await startGatewayWithKey(t, { RATE_LIMIT_PER_SECOND: '0' });
  const folder = t.testdir();
  const target = ['--url', url, '--key', key, '--report', folder];

  await t.test('is reported with the cost of an answer and with its assumptions', async (t) => {
    const search = () => capacity(...target, ...SHORT, '--mix', 'redirect', '--slo', 'p99=20s');
    let { code, output } = await search();
    for (let n = 1; n < TRIES && /no rate met the objective/.test(output); n += 1)
      ({ code, output } = await search());
    t.equal(code, 0, output);
    t.match(output, /^holds [\d.]+ requests\/s/m);
    t.match(output, /^found by the search: [\d.]+$/m);
    t.match(output, /^Little’s law: /m);
    t.match(output, /^an answer/m);
    t.match(output, /^32 +\d+/m);
    t.notMatch(output, key, 'the output does not contain the key');
    const names = (await readdir(folder)).sort();
    t.strictSame(names, ['capacity.json', 'report.md']);
    for (const name of names) t.notMatch(await readFile(join(folder, name), 'utf8'), key, `not in ${name}`);
  });

  await t.test('is not reported when the account runs out of units', async (t) => {
    // Enough for three bulk calls of a hundred.
    const { key: poorKey } = await createAccount(url, ADMIN_TOKEN, 'poor', { monthlyQuota: 300 });
    const poor = ['--url', url, '--key', poorKey, '--report', folder];
    const { code, output } = await capacity(...poor, ...SHORT, '--mix', 'bulk 100');
    t.equal(code, 1, output);
    t.match(output, 'the target answers 429: give the account more units');
  });

  await t.test('of another machine is measured only with an explicit option', async (t) => {
    const { code, output } = await capacity('--url', 'http://qr.example', '--key', key);
    t.equal(code, 2);
    t.match(output, 'qr.example is another machine: add --allow-remote if you may load it');
  });
});
