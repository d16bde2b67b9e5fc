/** Loads run in a process of their own, so that making requests and serving them share nothing. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../servers/scope.ts';
import type { ClosedJob, ClosedResult, Job, Message, OpenJob, OpenResult } from './job.ts';

const SCRIPT = fileURLToPath(
  new URL(`generator${extname(new URL(import.meta.url).pathname)}`, import.meta.url),
);

export interface Generator {
  /** @param begin Called when the warm-up is over and what counts begins. */
  closed(job: Omit<ClosedJob, 'kind'>, begin?: () => void): Promise<ClosedResult>;
  open(job: Omit<OpenJob, 'kind'>, begin?: () => void): Promise<OpenResult>;
}

const submit = (child: ChildProcess, job: Job, begin: () => void): Promise<Message> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      child.off('message', take).off('exit', ended);
    };
    const take = (message: Message) => {
      if (message.kind === 'begin') return begin();
      leave();
      resolve(message);
    };
    const ended = () => {
      leave();
      reject(new Error('the load generator ended before its load'));
    };
    child.on('message', take).on('exit', ended);
    child.send(job);
  });

export const startGenerator = (scope: Scope): Generator => {
  const child = fork(SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  scope.teardown(() => child.kill());
  return {
    async closed(job, begin = () => {}) {
      const message = await submit(child, { kind: 'closed', ...job }, begin);
      if (message.kind !== 'closed') throw new Error(`unexpected ${message.kind}`);
      return message.result;
    },
    async open(job, begin = () => {}) {
      const message = await submit(child, { kind: 'open', ...job }, begin);
      if (message.kind !== 'open') throw new Error(`unexpected ${message.kind}`);
      return message.result;
    },
  };
};
