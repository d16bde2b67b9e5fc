import type { Log } from '../log.ts';
import type { Quota } from './quota.ts';
import { type Loop, startLoop } from './redis/loop.ts';

const PAUSE_MS = 1000;

/** Gives expired reservations back each second. Every gateway runs one; they don't disturb each other. */
export const startReaper = (quota: Pick<Quota, 'reap'>, log: Log): Loop =>
  startLoop(
    'quota reaper',
    PAUSE_MS,
    async () => {
      const reaped = await quota.reap();
      if (reaped > 0) log.warn({ reaped }, 'reservations expired and were given back');
      return 'idle';
    },
    log,
  );
