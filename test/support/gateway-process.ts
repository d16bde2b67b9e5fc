/** A gateway as its own process, from the build: for starts, signals, logs and kills. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort, type TestScope } from './server-process.ts';

const SERVER = fileURLToPath(new URL('../../dist/src/server.js', import.meta.url));

export interface GatewayProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Everything it has written so far, both streams. */
  output(): string;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

type Env = Readonly<Record<string, string>>;

const launch = (scope: TestScope, env: Env): Omit<GatewayProcess, 'url'> => {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--enable-source-maps', SERVER], {
    env: { PATH, HOME, RENDER_THREADS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  scope.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { process: child, output: () => output, ended };
};

/** Starts a gateway that is expected to end by itself. */
export const runGateway = async (
  scope: TestScope,
  env: Env,
): Promise<{ code: number | string; output: string }> => {
  const gateway = launch(scope, { PORT: String(await freePort()), ...env });
  return { code: await gateway.ended, output: gateway.output() };
};

/** Starts a gateway and waits until it is ready. */
export const startGateway = async (scope: TestScope, env: Env): Promise<GatewayProcess> => {
  const port = env.PORT ?? String(await freePort());
  const gateway = launch(scope, { PORT: port, ...env });
  const url = `http://127.0.0.1:${port}`;
  let ended = false;
  void gateway.ended.then(() => {
    ended = true;
  });
  while (!ended) {
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready && gateway.output().includes('Tessera is ready')) return { ...gateway, url };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the gateway ended before it was ready:\n${gateway.output()}`);
};
