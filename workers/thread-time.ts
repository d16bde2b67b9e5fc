/** Processor time of this process's threads, as Linux counts it. Other systems do not provide it. */
import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** `utime` and `stime` are fields 14 and 15, in ticks, of which programs see 100 a second: proc(5). */
const MS_PER_TICK = 10;

/** Returns the system's id of the calling thread; 0 where the system has none. */
export const readThreadId = (): number => {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return 0;
  }
};

/**
 * Returns the processor time of a thread in milliseconds, to 10 ms; `null` when it has ended, or its id is unknown.
 *
 * @param threadId As `readThreadId` returns it in that thread.
 */
export const readTimeMs = (threadId: number): number | null => {
  if (threadId === 0) return null;
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'latin1');
    // The second field is a name in parentheses, which may hold blanks.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * MS_PER_TICK;
  } catch {
    return null;
  }
};
