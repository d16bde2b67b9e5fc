/**
 * `npm run sbom` prints a bill of materials as CycloneDX JSON, from the lock file alone: the production packages, and those
 * that are bundled into the dashboard.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { BUNDLED, readPackages } from './third-party.ts';

const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const args = [
  'sbom',
  '--sbom-format=cyclonedx',
  '--sbom-type=application',
  '--omit=dev',
  '--package-lock-only',
];
const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(status ?? 1);
}
const sbom = JSON.parse(stdout);
// npm takes the name of the folder, and leaves out what is only needed to build.
sbom.metadata.component = { ...sbom.metadata.component, name, version, purl: `pkg:npm/${name}@${version}` };
const bundled = readPackages().filter((one) => BUNDLED.includes(one.name));
sbom.components.push(
  ...bundled.map((one) => ({
    'bom-ref': `${one.name}@${one.version}`,
    type: 'library',
    name: one.name,
    version: one.version,
    scope: 'required',
    purl: `pkg:npm/${one.name}@${one.version}`,
    licenses: [{ license: { id: one.license } }],
  })),
);
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
