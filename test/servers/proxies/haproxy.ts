/** HAProxy in front of gateways, with the configuration of docker-compose.yml. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canConnect } from '../listen.ts';
import { findProgram, freePort, startServerProcess, type TestScope } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Makes a certificate for `localhost`, and a file with it and its key. */
export const makeCertificate = async (
  scope: TestScope,
): Promise<{ readonly certificate: string; readonly path: string }> => {
  const folder = await temporaryFolder(scope);
  const [key, certificate, path] = ['key', 'certificate', 'both'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', ...kind, ...name, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const text = readFileSync(certificate, 'utf8');
  await writeFile(path, text + readFileSync(key, 'utf8'));
  return { certificate: text, path };
};

/** Adapts the configuration to this machine: ports, the gateways, the path of the certificate. */
const adapt = (configuration: string, port: number, to: readonly string[], certificatePath: string): string =>
  configuration
    .replace(/resolvers docker\n(?: {2}.*\n)+/, '')
    .replace(' resolvers docker init-addr none', '')
    .replaceAll('bind :3000', `bind 127.0.0.1:${port}`)
    .replace(/^frontend health\n[\s\S]*/m, '')
    .replace('/run/secrets/certificate', certificatePath)
    .replace(/^( *)server-template .*$/m, (_, indent: string) =>
      to.map((address, i) => `${indent}server gateway-${i + 1} ${address}`).join('\n'),
    );

/**
 * Starts HAProxy with a configuration in front of gateways.
 *
 * @param options.certificatePath Certificate and key, for a configuration with TLS.
 */
export const startHaproxy = async (
  scope: TestScope,
  configuration: string,
  options: { readonly gateways: readonly { readonly url: string }[]; readonly certificatePath?: string },
): Promise<{ readonly port: number; output(): string }> => {
  const program = findProgram('haproxy');
  if (program === null) throw new Error('this test needs HAProxy: install haproxy or set HAPROXY');
  const folder = await temporaryFolder(scope);
  const port = await freePort();
  const to = options.gateways.map(({ url }) => new URL(url).host);
  const [file, logFile] = [join(folder, 'haproxy.cfg'), join(folder, 'output.log')];
  await writeFile(file, adapt(configuration, port, to, options.certificatePath ?? ''));
  const probe = () => canConnect(port);
  const server = await startServerProcess(program, ['-db', '-f', file], { logFile, user: null, probe });
  scope.teardown(() => server.stop());
  return { port, output: () => readFileSync(logFile, 'utf8') };
};
