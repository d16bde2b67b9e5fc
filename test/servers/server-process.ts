/** Starts servers for tests so that they end with the test process, even when it is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Anything with teardown, such as a test of tap. */
export interface TestScope {
  teardown(run: () => unknown): unknown;
}

/** The system user that a server runs as. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** A running server. */
export interface ServerProcess {
  /** Process id of the server, for SIGSTOP, SIGCONT and SIGKILL. */
  readonly pid: number;
  /** Ends the server and waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * The shell's standard input ends when the test process closes it or ends in any way. SIGINT shuts down both Postgres
 * and Redis quickly and cleanly.
 */
const GUARD = `
"$@" < /dev/null >&2 &
server=$!
echo $server
cat > /dev/null
kill -CONT $server 2> /dev/null
kill -INT $server 2> /dev/null
(sleep 5; kill -QUIT $server; sleep 6; kill -KILL $server) 2> /dev/null &
wait $server
kill $! 2> /dev/null
`;

/** Returns the path of a program, from the variable named after it or from a usual folder; `null` when there is none. */
export const findProgram = (name: string): string | null => {
  const given = process.env[name.toUpperCase()];
  if (given) return given;
  const usual = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin'];
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...usual];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Far beyond what a start takes on a busy machine. */
const READY_TIMEOUT_MS = 90_000;

/**
 * Resolves when `probe` no longer throws. If it never does, throws with the end of the server's output.
 *
 * @param options.logFile Takes the server's output; must be writable for `user`.
 */
export const startServerProcess = async (
  command: string,
  args: readonly string[],
  options: { logFile: string; user: User | null; probe: () => Promise<unknown> },
): Promise<ServerProcess> => {
  const log = openSync(options.logFile, 'a');
  const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', command, ...args], {
    stdio: ['pipe', 'pipe', log],
    cwd: '/',
    ...options.user,
  }) as ChildProcess & { stdin: Writable; stdout: Readable };
  closeSync(log);
  const gone = once(guard, 'exit');
  const [line] = (await once(createInterface(guard.stdout), 'line')) as [string];
  guard.stdout.destroy();
  const pid = Number(line);
  const stop = async () => {
    guard.stdin.end();
    await gone;
  };

  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      await options.probe();
      return { pid, stop };
    } catch (error) {
      if (isAlive(pid) && performance.now() < deadlineMs) {
        await sleep(20);
        continue;
      }
      await stop();
      const output = readFileSync(options.logFile, 'utf8').slice(-1000);
      throw new Error(`${command} did not start: ${output}`, { cause: error });
    }
  }
};

/** Returns a free port of 127.0.0.1. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
};
