import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ALLOWED, licencesIn, NOTICES, notices, readPackages } from './third-party.ts';

const run = promisify(execFile);
const packages = readPackages();

t.test('every production package has an allowed licence', async (t) => {
  t.ok(packages.length > 100);
  t.strictSame(
    packages.filter(({ license }) => !licencesIn(license).every((one) => ALLOWED.includes(one))),
    [],
  );
});

t.test('every production package supports the oldest and the newest supported version of Node', async (t) => {
  const { satisfies } = createRequire(import.meta.url)('semver');
  const file = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const [, oldest, newest] = /Node\.js ([\d.]+) to (\d+)/.exec(file('README.md'))!;
  t.equal(JSON.parse(file('package.json')).engines.node, `>=${oldest}`);
  const {
    packages,
  }: { packages: Record<string, { dev?: boolean; optional?: boolean; engines?: { node?: string } }> } =
    JSON.parse(file('package-lock.json'));
  const refuses = (version: string) =>
    Object.entries(packages)
      .filter(
        ([, { dev, optional, engines }]) => !dev && !optional && !satisfies(version, engines?.node ?? '*'),
      )
      .map(([path, { engines }]) => `${path}: ${engines?.node}`);
  t.strictSame(refuses(`${oldest}.0`), []);
  t.strictSame(refuses(`${newest}.0.0`), []);
});

t.test('THIRD-PARTY-NOTICES.md matches the lock file; if this fails, run npm run notices', async (t) => {
  t.equal(readFileSync(NOTICES, 'utf8'), notices());
});

t.test('the packages in the dashboard bundle are in the notices', async (t) => {
  const folder = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const imported = sources.flatMap((file) =>
    [...readFileSync(`${folder}${file}`, 'utf8').matchAll(/ from '((?:@[^/']+\/)?[^./'][^/']*)/g)].map(
      ([, name]) => name!,
    ),
  );
  const known = new Set(packages.map(({ name }) => name));
  t.strictSame(
    [...new Set(imported)].filter((name) => !known.has(name)),
    [],
  );
  t.ok(imported.includes('preact'));
});

t.test('the bill of materials lists every package that runs or is bundled, and no others', async (t) => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const args = ['--require=./test/support/loader/typescript.cjs', 'test/packages/sbom.ts'];
  const printed = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  const sbom = JSON.parse(printed);
  t.match(sbom, {
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'tessera', type: 'application' } },
  });
  const nameOf = ({ name, version }: { readonly name: string; readonly version: string }) =>
    `${name} ${version}`;
  t.strictSame([...new Set(sbom.components.map(nameOf))].sort(), packages.map(nameOf).sort());
});

/** Runs the audit with the usual registry, or with the one at `url`, whose answers npm must not cache. */
const audit = async (url?: string, cache = '') => {
  const script = fileURLToPath(new URL('./audit.mjs', import.meta.url));
  const asked = url === undefined ? {} : { npm_config_registry: url, npm_config_cache: cache };
  const env = { ...process.env, npm_config_fetch_retries: '0', ...asked };
  return run(process.execPath, [script], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { readonly code: number; readonly stdout: string }) => ({ code, stdout }),
  );
};

t.test('no production package has a known serious vulnerability, if the registry answers', async (t) => {
  const { code, stdout } = await audit();
  t.comment(stdout);
  t.equal(code, 0, stdout);
});

t.test('the audit fails for a serious vulnerability, and reports a registry without an answer', async (t) => {
  const cache = await temporaryFolder(t);
  const advisory = {
    id: 1,
    url: 'https://example.com/1',
    title: 'x',
    severity: 'high',
    vulnerable_versions: '*',
  };
  const registry = createServer((request, response) => {
    request.resume();
    const isAudit = request.method === 'POST';
    response.writeHead(isAudit ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAudit ? { postgres: [{ ...advisory, cwe: [], cvss: { score: 9 } }] } : {}));
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  t.match(await audit(url, cache), {
    code: 1,
    stdout: /^high: postgres: https:\/\/example\.com\/1\n1 of \d+ production/,
  });
  registry.closeAllConnections();
  registry.close();
  t.match(await audit(url, cache), { code: 0, stdout: /^Not audited: the registry does not answer/ });
});
