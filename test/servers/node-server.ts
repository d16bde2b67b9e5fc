import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scope } from './scope.ts';
import { freePort, startServerProcess } from './server-process.ts';

/** A server script in a separate process. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** The last lines of its log. */
  complaints(): string;
  stop(): Promise<void>;
}

const LINES = 5;
const LINE_CHARACTERS = 300;

const lastLines = (logFile: string): string =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .slice(-LINES)
    .map((line) => line.slice(0, LINE_CHARACTERS))
    .join('\n');

const isReady = async (url: string): Promise<void> => {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`answered ${response.status}`);
};

/**
 * Runs a Node.js script that listens on PORT in a separate process, with only PATH and HOME of our environment. It
 * ends with this process, even when this process is killed.
 *
 * @param options.readyPath Answers 2xx once the server is ready.
 */
export const startNodeServer = async (
  scope: Scope,
  folder: string,
  options: {
    readonly name: string;
    readonly script: string;
    readonly readyPath: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly flags?: readonly string[];
  },
): Promise<Server> => {
  const { name, script, readyPath, env = {}, flags = [] } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { PATH = '', HOME = '' } = process.env;
  const variables = Object.entries({ PATH, HOME, NODE_ENV: 'production', PORT: String(port), ...env });
  const logFile = join(folder, `${name}-${port}.log`);
  // `env` replaces itself with the script, so the process id is the script's.
  const args = [
    '-i',
    ...variables.map(([key, value]) => `${key}=${value}`),
    process.execPath,
    ...flags,
    script,
  ];
  const server = await startServerProcess('/usr/bin/env', args, {
    logFile,
    user: null,
    probe: () => isReady(`${url}${readyPath}`),
  });
  let ended: Promise<void> | undefined;
  const stop = () => {
    ended ??= server.stop();
    return ended;
  };
  scope.teardown(stop);
  return { url, pid: server.pid, complaints: () => lastLines(logFile), stop };
};
