/** Processor time of threads, as Linux counts it. Other systems do not provide it. */
import { readFileSync, readlinkSync } from 'node:fs';

/** `utime` and `stime` are fields 14 and 15, in ticks, of which programs see 100 a second: proc(5). */
const MS_PER_TICK = 10;

/** Returns the path of the calling thread's times; `null` where the system has none. */
export const ownTimePath = (): string | null => {
  try {
    return `/proc/${readlinkSync('/proc/thread-self')}/stat`;
  } catch {
    return null;
  }
};

/** Returns the processor time of a thread in milliseconds, to 10 ms; `null` when it has ended. */
export const readTimeMs = (path: string): number | null => {
  try {
    const stat = readFileSync(path, 'latin1');
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
