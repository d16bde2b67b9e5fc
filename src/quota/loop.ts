import { type Loop, startLoop } from '../execution/loops.ts';
import type { Log } from '../log.ts';
import type { Quota } from './quota.ts';

const PAUSE_MS = 1000;

/** Calls `reap` for the next ones each second. Every gateway runs a reaper, yet each reservation expires only once. */
export const startReaper = (quota: Pick<Quota, 'reap'>, log: Log): Loop =>
  startLoop(
    'reaper',
    PAUSE_MS,
    async () => {
      const reaped = await quota.reap('next');
      if (reaped > 0) log.warn({ reaped }, 'reservations expired; their units were given back');
      return 'idle';
    },
    log,
  );
