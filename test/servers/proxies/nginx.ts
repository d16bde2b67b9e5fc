/** nginx in front of gateways, with the configuration from docs/operations/servers.md. */
import { readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canConnect } from '../listen.ts';
import { findProgram, freePort, startServerProcess, type TestScope } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Reads the part of nginx's `http` block in docs/operations/servers.md, and inserts `ports` of this machine. */
const readConfiguration = (port: number, ports: readonly number[]): string => {
  const page = readFileSync(new URL('../../../docs/operations/servers.md', import.meta.url), 'utf8');
  const [, given = ''] = /```nginx\n([\s\S]*?)```/.exec(page) ?? [];
  const [line = ''] = /^ *server 10\.0\.0\.11:3000.*;\n/m.exec(given) ?? [];
  if (line === '')
    throw new Error('docs/operations/servers.md has no nginx configuration with server 10.0.0.11:3000');
  return given
    .replaceAll(/^ *server 10\..*;\n/gm, '')
    .replace('upstream tessera {\n', (start) =>
      [start, ...ports.map((to) => line.replace('10.0.0.11:3000', `127.0.0.1:${to}`))].join(''),
    )
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
};

/** Starts nginx in front of gateways on these ports; returns where it listens. */
export const startNginx = async (
  scope: TestScope,
  ports: readonly number[],
): Promise<{ url: string; logFile: string }> => {
  const program = findProgram('nginx');
  if (program === null) throw new Error('this test needs nginx: install nginx-light or set NGINX');
  const folder = await temporaryFolder(scope);
  await chmod(folder, 0o755);
  const port = await freePort();
  const logFile = join(folder, 'error.log');
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const configuration = [
    'daemon off;',
    'worker_processes 2;',
    `pid ${folder}/pid;`,
    `error_log ${logFile};`,
    'events {}',
    'http {',
    'access_log off;',
    ...paths.map((name) => `${name}_temp_path ${folder}/${name};`),
    readConfiguration(port, ports),
    '}',
  ];
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration.join('\n'));
  const probe = () => canConnect(port);
  const options = { logFile: join(folder, 'output.log'), user: null, probe };
  const server = await startServerProcess(program, ['-c', file, '-e', logFile], options);
  scope.teardown(() => server.stop());
  return { url: `http://127.0.0.1:${port}`, logFile };
};
