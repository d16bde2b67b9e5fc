/** Bounded admission: how many jobs run and wait, in all and for each key, such as an account or a network. */

/** Bounds, in jobs. One that is left out does not apply, but without `maxWaiting` no job waits. */
export interface AdmissionBounds {
  readonly maxRunning?: number;
  /** When below `maxRunning`, one key cannot take every place. */
  readonly maxRunningPerKey?: number;
  readonly maxWaiting?: number;
  readonly maxWaitingPerKey?: number;
  readonly maxWaitMs?: number;
}

/** Releases a place. Further calls are no-ops. */
export type Leave = () => void;

/** A key that has jobs running or waiting. It is forgotten when it has none. */
interface Line {
  readonly key: string;
  running: number;
  /** Each ends the wait of a job, with a place or without one. */
  readonly waiting: Set<(isAdmitted: boolean) => void>;
  /** Number of the key's last turn; -1 before its first. */
  lastTurn: number;
}

/**
 * Creates an admission. A place that becomes free goes to the key that has waited longest since its last turn, so an
 * account with a hundred slow jobs delays a job of another account by one job, not by a hundred.
 */
export const createAdmission = ({
  maxRunning = Number.POSITIVE_INFINITY,
  maxRunningPerKey = Number.POSITIVE_INFINITY,
  maxWaiting = 0,
  maxWaitingPerKey = Number.POSITIVE_INFINITY,
  maxWaitMs = 0,
}: AdmissionBounds) => {
  const lines = new Map<string, Line>();
  const total = { running: 0, waiting: 0 };
  let turn = 0;
  let closed = false;

  const lineOf = (key: string): Line => {
    const line = lines.get(key) ?? { key, running: 0, waiting: new Set(), lastTurn: -1 };
    lines.set(key, line);
    return line;
  };

  const forgetIdle = ({ key, running, waiting }: Line): void => {
    if (running === 0 && waiting.size === 0) lines.delete(key);
  };

  const hasPlace = ({ running }: Line): boolean => total.running < maxRunning && running < maxRunningPerKey;

  const take = (line: Line): Leave => {
    total.running += 1;
    line.running += 1;
    line.lastTurn = turn++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      total.running -= 1;
      line.running -= 1;
      forgetIdle(line);
      callNext();
    };
  };

  const callNext = (): void => {
    if (total.waiting === 0) return;
    let next: Line | undefined;
    for (const line of lines.values()) {
      if (line.waiting.size === 0 || !hasPlace(line)) continue;
      if (next === undefined || line.lastTurn < next.lastTurn) next = line;
    }
    const [end] = next?.waiting ?? [];
    end?.(true);
  };

  const wait = (line: Line, signal: AbortSignal | undefined): Promise<Leave | null> =>
    new Promise((resolve) => {
      const end = (isAdmitted: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        line.waiting.delete(end);
        total.waiting -= 1;
        resolve(isAdmitted ? take(line) : null);
        forgetIdle(line);
      };
      const giveUp = (): void => end(false);
      const timer = setTimeout(giveUp, maxWaitMs);
      signal?.addEventListener('abort', giveUp);
      line.waiting.add(end);
      total.waiting += 1;
    });

  /** Takes a place of the key. Returns `null` when none is free. */
  const tryEnter = (key: string): Leave | null => {
    const line = lineOf(key);
    const leave = !closed && hasPlace(line) ? take(line) : null;
    forgetIdle(line);
    return leave;
  };

  /** Takes a place at the key's turn. Returns `null` when full, too late, aborted or closed. */
  const enter = async (key: string, signal?: AbortSignal): Promise<Leave | null> => {
    const leave = tryEnter(key);
    if (leave !== null || closed || signal?.aborted || total.waiting >= maxWaiting) return leave;
    const line = lineOf(key);
    return line.waiting.size < maxWaitingPerKey ? wait(line, signal) : null;
  };

  return {
    tryEnter,
    enter,
    /** Runs `job` at the key's turn. Returns `null` when it was not run, as `enter` says. */
    async run<T>(key: string, job: () => Promise<T>): Promise<T | null> {
      const leave = await enter(key);
      if (leave === null) return null;
      try {
        return await job();
      } finally {
        leave();
      }
    },
    stats: () => ({ ...total }),
    /** Refuses waiting and later callers. Running jobs continue. */
    close(): void {
      closed = true;
      for (const { waiting } of [...lines.values()]) for (const end of [...waiting]) end(false);
    },
  };
};
