import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { ALLOWED, licencesIn, NOTICES, notices, readPackages } from './third-party.ts';

const packages = readPackages();

t.test('every production package has a licence under which it may be used', async (t) => {
  t.ok(packages.length > 100);
  t.strictSame(
    packages.filter(({ license }) => !licencesIn(license).every((one) => ALLOWED.includes(one))),
    [],
  );
});

t.test('the notices are those of the lock file; npm run notices writes them', async (t) => {
  t.equal(readFileSync(NOTICES, 'utf8'), notices());
});

t.test('what the dashboard bundles is in the notices', async (t) => {
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

t.test('the bill of materials names every package that runs or is bundled, and no other', async (t) => {
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
