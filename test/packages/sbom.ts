/**
 * `npm run sbom` prints a bill of materials as CycloneDX JSON, from the lock file alone: the production packages, and
 * those that are bundled into the dashboard. `npm sbom --omit=dev` also omits packages that development needs too, so
 * this lists all packages and removes the others.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commandLine } from '../support/command.ts';
import { readPackages } from './third-party.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

commandLine({
  name: 'npm run sbom',
  about:
    'Prints a bill of materials as CycloneDX JSON, using only the lock file: the production packages, and those that are bundled into the dashboard.',
  options: {},
  examples: [['', 'prints it; npm run --silent sbom > sbom.json keeps it']],
});

const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const { status, stdout, stderr } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(status ?? 1);
}
const sbom = JSON.parse(stdout) as {
  metadata: { component: Component };
  components: readonly Component[];
  dependencies: readonly Dependency[];
};
const used = new Set(readPackages().map((one) => `${one.name} ${one.version}`));
const components = sbom.components.filter((one) => used.has(`${one.name} ${one.version}`));
const refs = new Set([sbom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
const dependencies = sbom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
// npm uses the name of the folder.
const component = { ...sbom.metadata.component, name, version, purl: `pkg:npm/${name}@${version}` };
const printed = { ...sbom, metadata: { ...sbom.metadata, component }, components, dependencies };
process.stdout.write(`${JSON.stringify(printed, null, 2)}\n`);
