/** `npm run capacity` against a running deployment. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readReports } from '../../bench/compare/read.ts';
import { NEEDS } from '../../bench/load/aim.ts';
import { runCounted } from '../../bench/load/closed.ts';
import { checkRecipe } from '../../bench/load/correct.ts';
import type { Mix } from '../../bench/load/mix.ts';
import { GATEWAY_RECIPES, type RecipeName, recipeOf } from '../../bench/load/recipes.ts';
import { createAccount, createOwnAim, removeSecret } from '../servers/account.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { startGatewayWithKey } from '../support/app/gateway-with-key.ts';

const SCRIPT = fileURLToPath(new URL('../../dist/bench/capacity/main.js', import.meta.url));
/** They take seconds each. */
const SLOW: readonly RecipeName[] = ['gradient flood'];
const SHORT = ['--seconds', '0.5', '--soak', '0.5'];
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

  await t.test('is claimed with its interval, or not at all', async (t) => {
    const { code, output } = await capacity(...target, ...SHORT, '--mix', 'redirect', '--slo', 'p90=50ms');
    // On a busy machine most steps say nothing, since each takes half a second.
    if (code === 0) {
      t.match(output, /^holds [\d.]+ requests\/s .* 99 % interval [\d.]+ to [\d.]+$/m);
      t.match(output, /^an answer/m);
      const names = (await readdir(folder)).sort();
      t.strictSame(names, ['capacity.json', 'report.md']);
      t.match(await readReports([folder]), [{ kind: 'capacity', url }], 'it has the published schema');
      for (const name of names) t.notMatch(await readFile(join(folder, name), 'utf8'), key, `not in ${name}`);
    } else if (code === 1) t.match(output, /^no rate met the objective$/m);
    else {
      t.equal(code, 3, output);
      t.match(output, /^not determined: ./m);
    }
    t.notMatch(output, key, 'the output does not contain the key');
  });

  await t.test(
    'is not measured where a recipe cannot get what it needs, and the command says why',
    async (t) => {
      const { code, output } = await capacity(...target, ...SHORT, '--mix', 'redirect,resolve');
      t.equal(code, 2, output);
      t.match(output, /^resolve: the answer is wrong; its gateways need RESOLVER=on \(status 404\)/m);
      const nobody = ['--url', 'http://127.0.0.1:9', '--key', key, '--mix', 'redirect'];
      t.match(await capacity(...nobody), {
        code: 2,
        output: /^http:\/\/127.0.0.1:9\/.* cannot be reached: /m,
      });
    },
  );

  await t.test('is not reported when the account runs out of units', async (t) => {
    // Enough for three bulk calls of a hundred.
    const { key: poorKey } = await createAccount(url, ADMIN_TOKEN, 'poor', { monthlyQuota: 300 });
    const poor = ['--url', url, '--key', poorKey, '--report', folder];
    const { code, output } = await capacity(...poor, ...SHORT, '--mix', 'bulk 100');
    t.equal(code, 3, output);
    t.match(output, 'not determined: the target answers 429: give the account more units');
  });

  await t.test('of another machine is measured only with an explicit option', async (t) => {
    const { code, output } = await capacity('--url', 'http://qr.example', '--key', key);
    t.equal(code, 2);
    t.match(output, 'qr.example is another machine: add --allow-remote if you may load it');
  });
});

t.test('every request to a gateway gets a right answer, with one account and with several', async (t) => {
  const { url } = await startGatewayWithKey(t, { RATE_LIMIT_PER_SECOND: '0', RESOLVER: 'on' });
  for (const needs of [NEEDS.filter((need) => need !== 'accounts'), NEEDS]) {
    const aim = await createOwnAim(url, ADMIN_TOKEN, 'recipes', needs);
    for (const name of GATEWAY_RECIPES)
      if (!SLOW.includes(name)) await t.resolves(checkRecipe(name, recipeOf(name), url, aim), name);
    const mix: Mix = GATEWAY_RECIPES.filter((name) => !SLOW.includes(name)).map((name) => [name, 1]);
    const { tally } = await runCounted({ url, mix, aim, connections: 3, requests: 2 * mix.length }, () => {});
    t.match(tally, { good: 2 * mix.length, statuses: {} });
    await t.resolves(removeSecret(url, aim));
    t.match(await checkRecipe('signed', recipeOf('signed miss 300'), url, aim).catch(String), 'status 403');
  }
});
