/** `npm run clients`, in a copy of the project: when it makes the packages, and from what. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What a page of the document says, as compiled. */
const ROUTE = 'dist/src/http/routes/published.js';

const root = t.testdir();
const COPIED = ['clients', 'dist/src', 'dist/workers', 'dist/clients/generate', 'src/http/schemas/openapi'];
for (const path of [...COPIED, 'LICENSE', 'package.json', 'package-lock.json'])
  cpSync(join(ROOT, path), join(root, path), { recursive: true });
symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));

const GENERATED = [
  ...['_operations.py', '_version.py', 'types.py'].map((name) => `clients/python/src/tessera_client/${name}`),
  ...['document.ts', 'operations.ts'].map((name) => `clients/typescript/src/${name}`),
];
for (const path of GENERATED) rmSync(join(root, path));

const build = () => execFileSync(process.execPath, ['clients/build.mjs'], { cwd: root, encoding: 'utf8' });
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sums = () => read('dist/clients/SHA256SUMS');
const packages = () =>
  readdirSync(join(root, 'dist/clients')).filter((name) => /\.(?:tgz|whl|tar\.gz)$/.test(name));
const timesOf = () => packages().map((name) => statSync(join(root, 'dist/clients', name)).mtimeMs);

build();
const first = sums();

t.test('the packages are those of the version, with their checksums', async (t) => {
  const { version } = JSON.parse(read('package.json'));
  t.strictSame(packages().sort(), [
    `tessera-client-${version}.tgz`,
    `tessera_client-${version}-py3-none-any.whl`,
    `tessera_client-${version}.tar.gz`,
  ]);
  const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], {
    cwd: join(root, 'dist/clients'),
    encoding: 'utf8',
  });
  t.equal(checked.match(/: OK$/gm)?.length, 3);
  for (const path of GENERATED) t.match(read(path), /not for editing/, path);
});

t.test('nothing is made again while nothing has changed', async (t) => {
  const before = timesOf();
  build();
  t.strictSame(timesOf(), before);
});

t.test('another build has the same bytes, and leaves nothing else behind', async (t) => {
  for (const path of [...packages().map((name) => `dist/clients/${name}`), ...GENERATED])
    rmSync(join(root, path));
  writeFileSync(join(root, 'dist/clients/tessera-client-0.0.1.tgz'), 'old');
  build();
  t.equal(sums(), first);
  t.notOk(packages().includes('tessera-client-0.0.1.tgz'));
});

t.test('a changed call changes every package, and a changed hand-written module only its own', async (t) => {
  const changedFrom = (before: string) => {
    const kept = before.split('\n');
    return sums()
      .split('\n')
      .filter((line) => !kept.includes(line))
      .map((line) => line.split('  ')[1]);
  };
  const route = read(ROUTE);
  t.match(route, 'The public key that verifies receipts');
  writeFileSync(join(root, ROUTE), route.replace('The public key that verifies receipts', 'A public key'));
  build();
  t.strictSame(changedFrom(first).sort(), packages().sort());

  const second = sums();
  const module = 'clients/python/src/tessera_client/errors.py';
  writeFileSync(join(root, module), `${read(module)}\n# More.\n`);
  build();
  t.strictSame(
    changedFrom(second).sort(),
    packages()
      .filter((name) => name.startsWith('tessera_'))
      .sort(),
  );
});
