/** Loads run in a process of their own, so that sending requests and serving them share nothing. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scope } from '../../test/servers/scope.ts';
import type {
  ClosedJob,
  ClosedResult,
  CountedJob,
  CountedResult,
  Job,
  Message,
  OpenJob,
  OpenResult,
} from './job.ts';

const SCRIPT = fileURLToPath(
  new URL(`generator${extname(new URL(import.meta.url).pathname)}`, import.meta.url),
);

type Result = Exclude<Message, { kind: 'begin' }>;
type Unkinded<J> = Omit<J, 'kind'>;

/**
 * A process that generates load, one job at a time. `begin` is called when the warm-up ends and the measurement
 * begins.
 */
export interface Generator {
  closed(job: Unkinded<ClosedJob>, begin?: () => void): Promise<ClosedResult>;
  counted(job: Unkinded<CountedJob>, begin?: () => void): Promise<CountedResult>;
  open(job: Unkinded<OpenJob>, begin?: () => void): Promise<OpenResult>;
}

const submit = (child: ChildProcess, job: Job, begin: () => void): Promise<Result> =>
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

/** Starts the process; it ends with `scope`. A job rejects when the process ends early. */
export const startGenerator = (scope: Scope): Generator => {
  const child = fork(SCRIPT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  scope.teardown(() => child.kill());
  const run = async <T extends Result['result']>(kind: Result['kind'], job: object, begin = () => {}) => {
    const message = await submit(child, { kind, ...job } as Job, begin);
    if (message.kind !== kind) throw new Error(`the load generator answered ${kind} with ${message.kind}`);
    return message.result as T;
  };
  return {
    closed: (job, begin) => run<ClosedResult>('closed', job, begin),
    counted: (job, begin) => run<CountedResult>('counted', job, begin),
    open: (job, begin) => run<OpenResult>('open', job, begin),
  };
};
