/** What tests of the command line share: terminals, runs, gateways, and a fake gateway. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { runCli } from '../../src/cli/cli.ts';
import { serve } from '../servers/listen.ts';
import type { TestScope } from '../servers/server-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { sharedApp, startApp, type TestApp } from '../support/app/app.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

type Env = Readonly<Record<string, string>>;

/** A terminal that records what is written. @param input What it reads. */
export const terminalOf = (
  env: Env = {},
  interrupted = new AbortController().signal,
  input: Iterable<string | Uint8Array> = [],
) => {
  const written = { out: '', err: '' };
  const output = (name: 'out' | 'err') => ({ write: (text: string) => (written[name] += text) });
  return {
    written,
    terminal: {
      ...{ env, cwd: '/', input: Readable.from(input), onInterrupt: () => interrupted },
      ...{ out: output('out'), err: output('err') },
    },
  };
};

/** Runs the command line in this process. */
export const run = async (
  args: readonly string[],
  env?: Env,
  interrupted?: AbortSignal,
  input?: Iterable<string | Uint8Array>,
): Promise<Ran> => {
  const { written, terminal } = terminalOf(env, interrupted, input);
  const code = await runCli(args, terminal);
  return { code, ...written };
};

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** Starts the built command line as a process. It ends with an exit code or a signal. */
export const startProcess = (scope: TestScope, args: readonly string[], env: Env) => {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  scope.teardown(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return { child, err: () => err, ended };
};

const listenWith = async (tester: TestApp) => {
  await tester.app.gateway.listen({ host: '127.0.0.1', port: 0 });
  const { port } = tester.app.gateway.server.address() as AddressInfo;
  return { ...tester, port, url: `http://127.0.0.1:${port}` };
};

/** Starts an app on a port, as commands need it. */
export const listen = async (scope: TestScope, env: Env) => listenWith(await startApp(scope, env));

let shared: ReturnType<typeof listenWith> | undefined;

/** Returns the shared app, listening on a port. */
export const sharedListener = (): ReturnType<typeof listenWith> => {
  shared ??= sharedApp().then(listenWith);
  return shared;
};

/** Reads the manifest of a folder. */
export const readManifest = async (folder: string): Promise<Record<string, string>[]> =>
  parse(await readFile(join(folder, 'manifest.csv')), { columns: true, record_delimiter: '\r\n' });

/** Writes an input file, and returns the command that makes its codes in a folder of its own. */
export const bulkOf = async (scope: TestScope, env: Env, input: string | Buffer, name = 'codes.csv') => {
  const folder = await temporaryFolder(scope);
  const [file, out] = [join(folder, name), join(folder, 'out')];
  await writeFile(file, input);
  return {
    ...{ folder, file, out },
    /** Arguments of the caller follow those that name the input and the folder, and override them. */
    go: (...args: readonly string[]) => run(['bulk', file, '--out', out, ...args], env),
    manifest: () => readManifest(out),
    read: (path: string) => readFile(join(out, path)),
  };
};

/** A request to the fake gateway. */
interface Received {
  readonly url: string;
}

/** An answer. */
interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A fake gateway: answers with what `reply` returns, and records the requests. */
export const fakeGateway = async (
  scope: TestScope,
  reply: (received: Received, index: number) => Reply,
): Promise<{ readonly url: string; readonly received: readonly Received[] }> => {
  const received: Received[] = [];
  const url = await serve(scope, (request, response) => {
    request.resume();
    const asked = { url: request.url ?? '' };
    const told = reply(asked, received.push(asked) - 1);
    response.writeHead(told.status, { 'content-type': 'application/json', ...told.headers });
    response.end(typeof told.body === 'string' ? told.body : JSON.stringify(told.body));
  });
  return { url, received };
};
