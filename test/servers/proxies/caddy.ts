/** Caddy in front of a gateway, with the configuration from docs/api/domains.md; its own authority signs. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canConnect } from '../listen.ts';
import { findProgram, freePort, startServerProcess, type TestScope } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';

/** Of the test's own machine: ports that need no rights, no authority of the internet, nothing outside the folder. */
const options = (folder: string, port: number, plainPort: number): string => `{
  admin off
  skip_install_trust
  storage file_system ${folder}
  auto_https disable_redirects
  http_port ${plainPort}
  https_port ${port}
  default_bind 127.0.0.1
`;

const configuration = (folder: string, port: number, plainPort: number, gatewayPort: number): string => {
  const page = readFileSync(new URL('../../../docs/api/domains.md', import.meta.url), 'utf8');
  const [, given = ''] = /```\n(\{\n {2}on_demand_tls[\s\S]*?)```/.exec(page) ?? [];
  if (given === '') throw new Error('docs/api/domains.md has no configuration of Caddy with on_demand_tls');
  return given
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${gatewayPort}`)
    .replace('{\n', options(folder, port, plainPort))
    .replace('\n  tls {\n', '\n  tls {\n    issuer internal\n')
    .replace('https:// {', `https://:${port} {`);
};

/** Starts Caddy in front of the gateway on this port. `root` signs the certificates that it makes. */
export const startCaddy = async (scope: TestScope, gatewayPort: number) => {
  const program = findProgram('caddy');
  if (program === null) throw new Error('this test needs caddy: install it or set CADDY');
  const folder = await temporaryFolder(scope);
  const [port, plainPort] = [await freePort(), await freePort()];
  await mkdir(join(folder, 'data'));
  const file = join(folder, 'Caddyfile');
  await writeFile(file, configuration(join(folder, 'data'), port, plainPort, gatewayPort));
  const server = await startServerProcess(program, ['run', '--config', file, '--adapter', 'caddyfile'], {
    logFile: join(folder, 'log'),
    user: null,
    probe: () => canConnect(port),
  });
  scope.teardown(() => server.stop());
  const rootFile = join(folder, 'data/pki/authorities/local/root.crt');
  await until(() => existsSync(rootFile));
  return { port, root: readFileSync(rootFile, 'utf8') };
};
