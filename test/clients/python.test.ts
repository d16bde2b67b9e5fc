/**
 * The Python client as its users get it: from a gateway, installed into a new virtual environment, and run against that
 * gateway. Its tests are in `python/`.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { blocksOf, readPage } from '../docs/pages.ts';
import { type Failure, LOST, startFailingProxy } from '../servers/proxies/failing-proxy.ts';
import { makeCertificate } from '../servers/proxies/haproxy.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { startGatewayWithKey } from '../support/app/gateway-with-key.ts';
import { findPython } from '../support/python.ts';

const PACKAGE = fileURLToPath(new URL('../../clients/python', import.meta.url));
const TESTS = fileURLToPath(new URL('python', import.meta.url));

const folder = await temporaryFolder(t);
/** The Python of the system. */
const system = findPython() ?? 'python3';
/** The Python of the environment that the client is installed into. */
const python = join(folder, 'environment/bin/python');

/** Runs a program in the folder. Returns its exit code and output. */
const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  promisify(execFile)(program, [...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
    maxBuffer: 16 * 1024 * 1024,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), said: `${stdout}${stderr}` }),
  );

/** Names of all test files. The test fails when one of them is not run. */
const testFiles = (await readdir(TESTS)).filter((name) => /^test_\w+\.py$/.test(name)).sort();

const gateway = await startGatewayWithKey(t, {
  RATE_LIMIT_PER_SECOND: '0',
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  BATCH_STORE: join(folder, 'batches'),
});
const packages = `${gateway.url}/clients/`;
const served = (await (await fetch(packages)).json()) as { packages: { name: string }[] };
const named = (pattern: RegExp): string =>
  served.packages.map(({ name }) => name).find((name) => pattern.test(name))!;
const wheel = named(/^tessera_client-\d+\.\d+\.\d+-py3-none-any\.whl$/);
const source = named(/^tessera_client-\d+\.\d+\.\d+\.tar\.gz$/);

t.test('it is installed from a gateway, without a package index, into an empty environment', async (t) => {
  const made = await run(system, ['-m', 'venv', 'environment']);
  t.equal(made.code, 0, made.said);
  const options = ['--no-index', '--no-deps', '--disable-pip-version-check'];
  const installed = await run(python, ['-m', 'pip', 'install', ...options, `${packages}${wheel}`]);
  t.equal(installed.code, 0, installed.said);
  const checked = await run(python, ['-m', 'pip', 'check', '--disable-pip-version-check']);
  t.equal(checked.code, 0, checked.said);
});

t.test("Python's own tools make the same wheel from its sources", async (t) => {
  for (const name of [wheel, source])
    await writeFile(join(folder, name), Buffer.from(await (await fetch(`${packages}${name}`)).arrayBuffer()));
  const unpacked = await run(system, ['-m', 'tarfile', '--extract', source, '.']);
  t.equal(unpacked.code, 0, unpacked.said);
  const project = source.slice(0, -'.tar.gz'.length);
  const built = await run(system, ['-m', 'build', '--wheel', '--no-isolation', '--outdir', 'built', project]);
  t.equal(built.code, 0, built.said);
  const about = async (path: string) => {
    const { code, said } = await run(system, [join(TESTS, 'about_wheel.py'), path]);
    t.equal(code, 0, said);
    return JSON.parse(said);
  };
  const ours = await about(wheel);
  t.strictSame(ours, await about(join('built', wheel)));
  t.equal(ours.licence, await readFile(new URL('../../LICENSE', import.meta.url), 'utf8'));
});

/** Of an answer with a part of a batch, half arrives. */
const HALF: Failure = {
  isSent: true,
  fail(to, { status, headers, body }) {
    to.writeHead(status, headers).write(body.subarray(0, body.length / 2), () => to.destroy());
  },
};
const tries = new Map<string, number>();
/** Loses the first answer to each request; of one with this header, so many. */
const CUTS_HEADER = 'x-test-cuts';
const cutting = await startFailingProxy(t, gateway.url, ({ method, url = '', headers }) => {
  const place = [method, url, headers['upload-offset'], headers.range];
  const identity = JSON.stringify(headers['idempotency-key'] ?? place);
  const before = tries.get(identity) ?? 0;
  tries.set(identity, before + 1);
  if (before >= Number(headers[CUTS_HEADER] ?? 1)) return null;
  return /\/parts\/\d+$/.test(url) ? HALF : LOST;
});

const env = {
  TESSERA_URL: gateway.url,
  TESSERA_KEY: gateway.key,
  TESSERA_ADMIN_TOKEN: ADMIN_TOKEN,
  CUTTING_URL: cutting.url,
  CERTIFICATE: (await makeCertificate(t)).path,
  API_DOCS: fileURLToPath(new URL('../../docs/api/pictures.md', import.meta.url)),
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Runs mypy on files with nothing but the installed package. Its cache is kept. */
const checkTypes = (...files: readonly string[]) =>
  run('mypy', ['--strict', '--python-executable', python, ...files]);

t.test('its types satisfy mypy --strict', async (t) => {
  for (const version of ['3.9', '3.11']) {
    const own = await checkTypes('--python-version', version, join(PACKAGE, 'src/tessera_client'));
    t.equal(own.code, 0, own.said);
  }
});

/** A program with a type error in every line from the third on. */
const WRONG = [
  'from tessera_client import Client',
  'client = Client("http://127.0.0.1:1")',
  'client.create_code({"width": 300})  # data is missing',
  'client.create_code({"data": "a", "dotsOptions": {"type": "round"}})  # no such type',
  'client.list_folders(limit="20")  # no number',
  'client.get_usage()["used"]  # no such field',
  'client.get_folder()  # no id',
];

/** Writes the examples of the README, and returns their paths. */
const writeExamples = (): Promise<readonly string[]> =>
  Promise.all(
    blocksOf(readPage('clients/python/README.md'))
      .filter(({ language }) => language === 'python')
      .map(async ({ text }, i) => {
        const path = join(folder, `example_${i}.py`);
        const program = text
          .replaceAll('https://qr.example.com', gateway.url)
          .replaceAll('tsr_…', gateway.key)
          .replace('100_000', '20');
        await writeFile(path, program);
        return path;
      }),
  );

const examples = await writeExamples();

t.test('correct programs pass mypy --strict, which finds every type error in a wrong one', async (t) => {
  const wrong = join(folder, 'wrong.py');
  await writeFile(wrong, WRONG.join('\n'));
  const { said } = await checkTypes(...testFiles.map((name) => join(TESTS, name)), ...examples, wrong);
  const found = [...said.matchAll(/^(.*\.py):(\d+): error/gm)].map(([, file, line]) => `${file} ${line}`);
  t.strictSame(
    [...new Set(found)],
    [3, 4, 5, 6, 7].map((line) => `wrong.py ${line}`),
    said,
  );
});

t.test('the examples in its README run', async (t) => {
  t.ok(examples.length > 4);
  for (const path of examples) {
    const { code, said } = await run(python, [path]);
    t.equal(code, 0, said);
  }
});

for (const name of testFiles) {
  t.test(`${name} passes`, async (t) => {
    const { code, said } = await run(python, [join(TESTS, name), '-v'], env);
    t.comment(said.trim().split('\n').slice(-3).join(' '));
    t.equal(code, 0, said);
    t.match(said, /^Ran [1-9]\d* tests?/m);
  });
}
