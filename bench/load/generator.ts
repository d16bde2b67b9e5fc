/** The load generator's process: it runs the jobs of its parent one after the other, and ends with its parent. */
import { runClosed } from './closed.ts';
import { runCounted } from './counted.ts';
import type { Job, Message } from './job.ts';
import { runOpen } from './open.ts';

const tell = (message: Message): void => void process.send?.(message);
const begin = (): void => tell({ kind: 'begin' });

const run = async (job: Job): Promise<void> => {
  if (job.kind === 'closed') tell({ kind: 'closed', result: await runClosed(job, begin) });
  else if (job.kind === 'open') tell({ kind: 'open', result: await runOpen(job, begin) });
  else tell({ kind: 'counted', result: await runCounted(job, begin) });
};

process.on('disconnect', () => process.exit(0));
process.on('message', (job: Job) => {
  run(job).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
