import type { Log } from '../log.ts';
import { type Loop, startLoop } from './loop.ts';
import type { Quota } from './quota.ts';

const PAUSE_MS = 1000;

/** Calls `reap` each second. Every gateway runs a reaper, yet each reservation expires only once. */
export const startReaper = (quota: Pick<Quota, 'reap'>, log: Log): Loop =>
  startLoop(
    'quota reaper',
    PAUSE_MS,
    async () => {
      const reaped = await quota.reap();
      if (reaped > 0) log.warn({ reaped }, 'reservations expired; their units were given back');
      return 'idle';
    },
    log,
  );
