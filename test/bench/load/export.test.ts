/**
 * Mixes that were exported for other load generators, against a gateway. wrk runs its script; those of k6 and vegeta,
 * which Debian does not have, are interpreted.
 */
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { EXPORT } from '../../../bench/export/options.ts';
import { FORMATS } from '../../../bench/export/scripts.ts';
import { NEEDS, plainAim } from '../../../bench/load/aim.ts';
import type { Mix } from '../../../bench/load/mix.ts';
import { GATEWAY_RECIPES, recipeOf } from '../../../bench/load/recipes.ts';
import { createOwnAim } from '../../servers/account.ts';
import { ADMIN_TOKEN } from '../../support/app/app.ts';
import { startGatewayWithKey } from '../../support/app/gateway-with-key.ts';
import { readCommand } from '../../support/command.ts';

const { url, key } = await startGatewayWithKey(t, { RATE_LIMIT_PER_SECOND: '0', RESOLVER: 'on' });
const aim = await createOwnAim(url, ADMIN_TOKEN, 'export', NEEDS);
/** Calls that take seconds each would be all that is tried. */
const mix: Mix = GATEWAY_RECIPES.filter((name) => !/flood|large|1000|bulk 100/.test(name)).map((name) => [
  name,
  1,
]);
const REQUESTS = 4 * mix.length;
const exports = { url, mix, aim, requests: REQUESTS };

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

const send = async ({ url: address, ...request }: Sent) => {
  const answer = await fetch(address, { ...request, redirect: 'manual' });
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString('latin1') };
};

/** Makes what a script of k6 imports. `answer` is called in place of the network. */
const k6Modules = (iteration: () => number, answer: (sent: Sent) => object, checks: boolean[]) => ({
  k6: {
    check: (value: object, all: Record<string, (value: object) => boolean>) =>
      void checks.push(...Object.values(all).map((isMet) => isMet(value))),
  },
  'k6/crypto': {
    hmac: (_: string, secret: string, text: string) =>
      createHmac('sha256', secret).update(text).digest('base64url'),
  },
  'k6/encoding': { b64encode: (text: string) => Buffer.from(text).toString('base64url') },
  'k6/execution': {
    scenario: {
      get iterationInTest() {
        return iteration();
      },
    },
  },
  'k6/http': {
    expectedStatuses: () => null,
    request: (method: string, address: string, body: string | null, { headers }: Pick<Sent, 'headers'>) =>
      answer({ method, url: address, body, headers }),
  },
});

/** Runs the iterations of a script twice each: to learn its request, and with the answer to that. */
const runK6 = async (script: string, iterations: number) => {
  const checks: boolean[] = [];
  const sent: Sent[] = [];
  let n = 0;
  let answer: (request: Sent) => object = () => ({});
  const modules = k6Modules(
    () => n,
    (request) => answer(request),
    checks,
  );
  const text = script
    .replace(/^import (.+) from '(.+)';$/gm, "const $1 = modules['$2'];")
    .replace('export const', 'const')
    .replace('export default', 'return');
  const iterate = new Function('modules', '__ENV', text)(modules, {}) as () => void;
  for (; n < iterations; n += 1) {
    answer = (request) => {
      sent.push(request);
      return { status: 0 };
    };
    iterate();
    checks.pop();
    const got = await send(sent.at(-1)!);
    answer = () => got;
    iterate();
  }
  return { checks, sent };
};

const wrk = (file: string, address: string) =>
  new Promise<{ code: number | string; output: string }>((resolve) => {
    const args = ['-t2', '-c4', '-d2s', '-s', file, address];
    execFile(process.env.WRK || 'wrk', args, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

const isRepeated = ({ path }: { readonly path: string }): boolean =>
  /run(=|%3D)hot|^\/(l|01)\/|\/image\?/.test(path);

t.test(
  'k6 gets a right answer to every request, and no two of those that must be new are alike',
  async (t) => {
    const { checks, sent } = await runK6(await FORMATS['.js'].script(exports), REQUESTS);
    t.equal(checks.length, REQUESTS);
    t.ok(checks.every(Boolean));
    const unique = sent.filter(({ url: address }) => !isRepeated({ path: address.slice(url.length) }));
    const hits = aim.secret === null ? 0 : 4;
    t.ok(new Set(unique.map((one) => JSON.stringify(one))).size >= unique.length - hits);
    t.ok(unique.length > REQUESTS / 2);
  },
);

t.test('k6 fails on a wrong answer', async (t) => {
  const script = await FORMATS['.js'].script({ ...exports, url: `${url}/elsewhere` });
  const { checks } = await runK6(script, mix.length);
  t.ok(checks.every((isMet) => !isMet));
  t.match(script, "thresholds: { checks: ['rate==1']");
});

t.test('vegeta gets a right answer to every target, and no two that must be new are alike', async (t) => {
  const lines = (await FORMATS['.jsonl'].script(exports)).trim().split('\n');
  t.equal(lines.length, REQUESTS);
  for (const line of lines) {
    const { method, url: address, header, body } = JSON.parse(line);
    const headers = Object.fromEntries(
      Object.entries<string[]>(header).map(([name, [value]]) => [name, value!]),
    );
    const sent = {
      method,
      url: address,
      headers,
      body: body ? Buffer.from(body, 'base64').toString() : null,
    };
    const got = await send(sent);
    t.ok(
      mix.some(([name]) => recipeOf(name).isGood(got.status, got.body)),
      `${method} ${address}: ${got.status} ${got.body.slice(0, 200)}`,
    );
  }
  const unique = lines.filter((line) => !isRepeated({ path: JSON.parse(line).url.slice(url.length) }));
  t.equal(new Set(unique).size, unique.length);
});

t.test('wrk runs the script as it is, gets no wrong answer, and fails where it gets one', async (t) => {
  const folder = t.testdir();
  const file = join(folder, 'mix.lua');
  await writeFile(file, await FORMATS['.lua'].script(exports));
  t.match(await wrk(file, url), { code: 0, output: /^ +[1-9]\d* requests in [\s\S]*^wrong answers: 0$/m });

  const wrong = createServer((_, answer) => answer.end('no')).listen(0, '127.0.0.1');
  t.teardown(() => wrong.close());
  await new Promise((resolve) => wrong.once('listening', resolve));
  const elsewhere = `http://127.0.0.1:${(wrong.address() as AddressInfo).port}`;
  await writeFile(
    file,
    await FORMATS['.lua'].script({ ...exports, aim: plainAim('x'), mix: [['check', 1]] }),
  );
  t.match(await wrk(file, elsewhere), {
    code: 1,
    output: /^wrong answers: [1-9][\s\S]*^wrong answer: 200 no$/m,
  });
});

t.test(
  'the command prepares the account, writes a file for its owner alone, and says how to run it',
  async (t) => {
    const script = fileURLToPath(new URL('../../../dist/bench/export/main.js', import.meta.url));
    const file = join(t.testdir(), 'mix.jsonl');
    const args = [script, '--url', url, '--key', key, '--mix', 'redirect', '--requests', '7', file];
    const output = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, args, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    });
    t.match(output, `vegeta attack -format=json -targets=${file} -redirects=-1`);
    t.equal((await stat(file)).mode & 0o777, 0o600);
    t.equal((await readFile(file, 'utf8')).trim().split('\n').length, 7);

    const reads = (...args: readonly string[]) => {
      const reading = readCommand(EXPORT, args);
      return reading.kind === 'given' ? reading.wanted : reading.text;
    };
    const given = ['--url', url, '--key', key];
    t.match(reads(...given, 'mix.js'), { format: '.js', deployment: { url, keys: [key] } });
    t.match(reads(...given, 'mix.txt'), 'name one file that ends with .js, .lua, .jsonl');
    t.match(reads('mix.js'), 'give the --url and the --key');
  },
);
