/** Keeps a number of gateway processes running on one port. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Ready } from './channel.ts';
import { type Ended, type GatewayProcess, watch } from './gateway-process.ts';

/** What a supervisor keeps running, and how. */
export interface SupervisorOptions {
  readonly count: number;
  start(): GatewayProcess;
  /** How often each process is asked whether it answers. */
  readonly watchMs: number;
  /** How long a process may take until it serves before it is killed. */
  readonly startTimeoutMs: number;
  /** How long processes may take to end before they are killed. */
  readonly endTimeoutMs: number;
}

/** The outcome of the first start. */
export type Begun =
  | { readonly outcome: 'ready'; readonly ready: Ready }
  | { readonly outcome: 'failed'; readonly ended: Ended }
  /** `end` was called meanwhile. */
  | { readonly outcome: 'ended' };

/** Gateway processes that are started, watched and replaced. */
export type Supervisor = ReturnType<typeof createSupervisor>;

/** A process that lived for this long starts a new count of deaths. */
const LONG_LIFE_MS = 60_000;
const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/** Counts deaths in a row. @param before Deaths in a row before this one. @param livedMs How long the process lived. */
export const countDeaths = (before: number, livedMs: number): number =>
  livedMs >= LONG_LIFE_MS ? 1 : before + 1;

/**
 * Returns the pause before the next start: 0.1 s after the first death, twice as long after each further one, 30 s at
 * most.
 */
export const computePauseMs = (deaths: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** (deaths - 1));

/** Creates a supervisor that has started nothing yet. */
export const createSupervisor = (options: SupervisorOptions, log: Log) => {
  const { count, start, watchMs, startTimeoutMs, endTimeoutMs } = options;
  const alive = new Set<GatewayProcess>();
  const places: { process: GatewayProcess }[] = [];
  let ending = false;
  let deaths = 0;
  let replacing = false;
  let replaceAgain = false;

  const launch = (): GatewayProcess => {
    const process = start();
    alive.add(process);
    void process.ended.then(() => alive.delete(process));
    const killHung = () => {
      log.error({ gateway: process.pid }, 'gateway process does not answer; killing it');
      process.kill('SIGKILL');
    };
    const overdue = setTimeout(() => {
      log.error({ gateway: process.pid, startTimeoutMs }, 'gateway process does not start; killing it');
      process.kill('SIGKILL');
    }, startTimeoutMs);
    void process.ready.then((ready) => {
      clearTimeout(overdue);
      if (ready) void watch(process, watchMs, killHung);
    });
    return process;
  };

  /** Fills the place again whenever its process dies. */
  const keepFilled = async (place: (typeof places)[number]): Promise<void> => {
    let deathsInARow = 0;
    while (!ending) {
      const { process } = place;
      const startedMs = performance.now();
      const ended = await process.ended;
      // It retired, and another process has its place.
      if (ending || place.process !== process) continue;
      deaths += 1;
      deathsInARow = countDeaths(deathsInARow, performance.now() - startedMs);
      const ms = computePauseMs(deathsInARow);
      log.error({ gateway: process.pid, ...ended, pauseMs: ms }, 'gateway process died; starting a new one');
      // While no gateway lives, only this timer keeps the supervisor from ending.
      await sleep(ms);
      if (!ending && place.process === process) place.process = launch();
    }
  };

  const replace = async (place: (typeof places)[number]): Promise<boolean> => {
    const next = launch();
    if ((await next.ready) === null) {
      log.error(
        { gateway: next.pid, ...(await next.ended) },
        'new gateway process failed; the old ones keep running',
      );
      return false;
    }
    const old = place.process;
    place.process = next;
    // One that took the place of a dead process meanwhile hears it when it has started.
    if ((await old.ready) !== null) old.retire();
    await old.ended;
    log.info({ gateway: next.pid, before: old.pid }, 'gateway process replaced');
    return true;
  };

  /** Shuts all processes down gracefully. Resolves when none is left. */
  const end = async (): Promise<void> => {
    ending = true;
    const all = [...alive];
    for (const process of all) process.kill('SIGTERM');
    const overdue = setTimeout(() => {
      for (const process of alive) process.kill('SIGKILL');
    }, endTimeoutMs);
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(overdue);
  };

  /**
   * Replaces the processes one after the other: a process retires when the one in its place serves. Stops when a new
   * process does not serve. A call during a replacement, or before a process serves, begins another one after it.
   */
  const replaceAll = async (): Promise<void> => {
    replaceAgain = true;
    if (replacing || places.length === 0) return;
    replacing = true;
    while (replaceAgain && !ending) {
      replaceAgain = false;
      for (const place of places) if (ending || !(await replace(place))) break;
    }
    replacing = false;
  };

  return {
    /**
     * Starts one process, and when it serves the others. Fails only when the first one does: a fault of the environment
     * would stop each of them again. Resolves when each of the others serves or has died; one that died is replaced.
     */
    async begin(): Promise<Begun> {
      const first = launch();
      const ready = await first.ready;
      if (ending) return { outcome: 'ended' };
      if (ready === null) return { outcome: 'failed', ended: await first.ended };
      const others = Array.from({ length: count - 1 }, launch);
      places.push(...[first, ...others].map((process) => ({ process })));
      for (const place of places) void keepFilled(place);
      if (replaceAgain) void replaceAll();
      for (const process of others) await process.ready;
      return ending ? { outcome: 'ended' } : { outcome: 'ready', ready };
    },

    replaceAll,
    end,
    /** Processes that run, and those that ended although nothing had asked them to. */
    stats: () => ({ running: alive.size, deaths }),
  };
};
