/** The load generator's process: it runs the jobs of its parent one after the other, and exits with its parent. */
import { runClosed, runCounted } from './closed.ts';
import type { Kind, Message } from './job.ts';
import { runOpen } from './open/open.ts';

const RUNS = { closed: runClosed, counted: runCounted, open: runOpen } as const;

const tell = (message: Message): void => void process.send?.(message);

process.on('disconnect', () => process.exit(0));
process.on('message', ({ kind, job }: { readonly kind: Kind; readonly job: never }) => {
  RUNS[kind](job, () => tell('begin')).then(tell, (error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
