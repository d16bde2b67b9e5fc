/**
 * `npm run audit` asks the registry for known vulnerabilities of the production packages, and fails for high and
 * critical ones. When the registry does not answer, it says so and does not fail.
 */
import { spawnSync } from 'node:child_process';

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  timeout: 120_000,
});

const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

const { metadata, vulnerabilities = {}, error } = parse(stdout);
if (metadata === undefined) {
  const why = error?.summary || /npm (?:error|warn) (audit .*)/.exec(stderr)?.[1] || 'no answer';
  console.log(`Not audited: the registry does not answer (${why.slice(0, 200)}).`);
} else {
  const serious = Object.values(vulnerabilities).filter(({ severity }) => /^(high|critical)$/.test(severity));
  for (const { name, severity, via } of serious) {
    console.log(`${severity}: ${name}: ${via.map((why) => why.url ?? why).join(', ')}`);
  }
  const { prod } = metadata.dependencies;
  console.log(`${serious.length} of ${prod} production packages have high or critical vulnerabilities.`);
  process.exitCode = serious.length > 0 ? 1 : 0;
}
