/** A gateway in a separate process, from the build: for tests of starts, signals, logs and kills. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type TestScope } from './server-process.ts';

/** The server of the build. */
export const SERVER = fileURLToPath(new URL('../../dist/src/server.js', import.meta.url));

/** A gateway that runs until its scope ends. */
export interface GatewayProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** All its output so far, of both streams. */
  output(): string;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

type Env = Readonly<Record<string, string>>;

/** Options for starting a gateway differently from `npm start`. */
export interface Launch {
  /** Runs instead of the server, for example a package manager that starts it. */
  readonly command?: readonly [string, ...string[]];
  readonly cwd?: string;
  /** Whether it leads its own process group, as if a terminal had started it. */
  readonly detached?: boolean;
  /** A command that runs the server. The command of the server follows its arguments. */
  readonly through?: readonly string[];
}

const BUNDLED = fileURLToPath(new URL('../support/loader/built.cjs', import.meta.url));

/**
 * The arguments with which Node runs the server. It needs less processor time to start as one file, without
 * optimising the WebAssembly of an embedded database, and optimising only functions that run often.
 */
const SERVER_ARGUMENTS = ['--enable-source-maps', '--liftoff-only', '--require', BUNDLED, SERVER];

/** So much that no account runs out of it on a slow machine. Tests of the limit set their own. */
export const MUCH_FREE_WORK = '1000000';

const launch = (
  scope: TestScope,
  env: Env,
  { command = [process.execPath, ...SERVER_ARGUMENTS], through = [], ...options }: Launch = {},
): Omit<GatewayProcess, 'url'> => {
  const { PATH = '', HOME = '' } = process.env;
  const [program = '', ...args] = [...through, ...command];
  const child = spawn(program, args, {
    env: { PATH, HOME, RENDER_THREADS: '1', FREE_WORK_MS_PER_SECOND: MUCH_FREE_WORK, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  });
  let output = '';
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  scope.teardown(async () => {
    if (options.detached) signalGroup(child, 'SIGKILL');
    else child.kill('SIGKILL');
    await ended;
  });
  return { process: child, output: () => output, ended };
};

/** Signals every process of the group that a detached child leads, as Ctrl-C in a terminal does. */
export const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    process.kill(-child.pid!, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Starts a gateway without waiting until it is ready. */
export const launchGateway = async (
  scope: TestScope,
  env: Env,
  options?: Launch,
): Promise<Omit<GatewayProcess, 'url'>> => launch(scope, { PORT: String(await freePort()), ...env }, options);

/** Starts a gateway that is expected to exit by itself. */
export const runGateway = async (
  scope: TestScope,
  env: Env,
  options?: Launch,
): Promise<{ code: number | string; output: string }> => {
  const gateway = await launchGateway(scope, env, options);
  return { code: await gateway.ended, output: gateway.output() };
};

/** Returns the key of the demo account that the first start on an embedded database makes. */
export const demoKeyIn = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim();

/** Far beyond what a start takes on a busy machine. */
const READY_TIMEOUT_MS = 120_000;

/** Starts a gateway and waits until it is ready. */
export const startGateway = async (scope: TestScope, env: Env, options?: Launch): Promise<GatewayProcess> => {
  const port = env.PORT ?? String(await freePort());
  const gateway = launch(scope, { PORT: port, ...env }, options);
  const url = `http://127.0.0.1:${port}`;
  let ended = false;
  void gateway.ended.then(() => {
    ended = true;
  });
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  while (!ended && performance.now() < deadlineMs) {
    const ready = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready && gateway.output().includes('Tessera is ready')) return { ...gateway, url };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the gateway ended, or was not ready within ${READY_TIMEOUT_MS} ms:\n${gateway.output()}`);
};
