/** Counts the failed rounds of what runs again and again in the background of this process. */

const LOOPS = [
  'batch_store',
  'batches',
  'changes',
  'directory',
  'domains',
  'drain',
  'key_uses',
  'link_jobs',
  'reaper',
  'redis_memory',
  'scans',
  'standings',
  'sweep',
  'unknown_slugs',
  'upkeep',
  'verifications',
  'webhooks',
] as const;

/** What runs again and again, and tries again after a failure. */
export type LoopName = (typeof LOOPS)[number];

const counts = new Map<LoopName, number>(LOOPS.map((loop) => [loop, 0]));

/** Counts a round that failed, and that is tried again. */
export const countLoopFailure = (loop: LoopName): void => void counts.set(loop, (counts.get(loop) ?? 0) + 1);

/** Returns the failed rounds since the start of the process; 0 where none has failed. */
export const loopFailures = (): Readonly<Record<string, number>> => Object.fromEntries(counts);
