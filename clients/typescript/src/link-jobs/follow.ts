/** Waits for a link job. */
import type { Call, CallOptions } from '../call.ts';
import type { Operation } from '../request.ts';
import { pause } from '../retries.ts';

/** What a link job says of itself, as far as waiting needs it. */
export interface LinkJobState {
  readonly finished_at: string | null;
}

/** Options of waiting. */
export interface FollowOptions<Job> extends CallOptions {
  /** Receives the job each time it is looked at. */
  onProgress?(job: Job): void;
}

const JOB: Operation = { method: 'GET', path: '/api/v1/link-jobs/{id}', auth: 'key' };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5000;

/** Returns a link job when it has ended, in whatever way. @throws {TesseraError} */
export const followLinkJob = async <Job extends LinkJobState>(
  call: Call,
  id: string,
  { onProgress, ...options }: FollowOptions<Job> = {},
): Promise<Job> => {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_WAIT_MS)) {
    const job = (await call(JOB, { path: { id } }, options)).data as Job;
    onProgress?.(job);
    if (job.finished_at !== null) return job;
    await pause(waitMs, options.signal);
  }
};
