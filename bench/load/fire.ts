/** Loads run in a separate process, so that sending requests does not slow down serving them. */
import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../test/servers/scope.ts';
import type { Kind, Loads, Message } from './job.ts';

const SCRIPT = fileURLToPath(
  new URL(`generator${extname(new URL(import.meta.url).pathname)}`, import.meta.url),
);

/**
 * A process that runs one job at a time. `begin` is called when the warm-up ends and the measurement begins.
 */
export type Generator = {
  readonly [K in Kind]: (job: Loads[K]['job'], begin?: () => void) => Promise<Loads[K]['result']>;
};

/** Starts the process; it ends with `scope`. A job rejects when the process ends early. */
export const startGenerator = (scope: Scope): Generator => {
  const child = fork(SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  scope.teardown(() => child.kill());
  const createRun =
    <K extends Kind>(kind: K) =>
    (job: Loads[K]['job'], begin = () => {}) =>
      new Promise<Loads[K]['result']>((resolve, reject) => {
        const take = (message: Message) => {
          if (message === 'begin') return begin();
          child.off('message', take).off('exit', ended);
          resolve(message as Loads[K]['result']);
        };
        const ended = () => {
          child.off('message', take);
          reject(new Error('the load generator ended before its load'));
        };
        child.on('message', take).once('exit', ended);
        child.send({ kind, job });
      });
  return { closed: createRun('closed'), counted: createRun('counted'), open: createRun('open') };
};
