/** A process of the independent generator: it runs one load of its parent, and ends. */
import { drive, type WitnessJob } from './drive.ts';

process.on('disconnect', () => process.exit(0));
process.once('message', (job: WitnessJob) => {
  drive(job).then(
    (seen) => process.send?.(seen, () => process.disconnect()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
