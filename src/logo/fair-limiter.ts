/** Bounds of a fair limiter, in jobs. */
export interface FairLimits {
  readonly maxRunning: number;
  /** For one account. When below `maxRunning`, one account cannot take every place. */
  readonly maxRunningPerAccount: number;
  readonly maxWaiting: number;
  readonly maxWaitingPerAccount: number;
  readonly maxWaitMs: number;
}

interface Waiter {
  readonly begin: () => void;
  readonly giveUp: () => void;
}

/** An account that has jobs running or waiting. It is forgotten when it has none. */
interface Account {
  running: number;
  readonly line: Set<Waiter>;
  /** Number of the account's last turn; -1 before its first. */
  lastTurn: number;
}

/**
 * Makes a fair limiter: bounded admission that serves the account that has waited longest since its last turn. An
 * account that sends a hundred slow logos delays another account's logo by one running job, not by a hundred.
 */
export const createFairLimiter = (limits: FairLimits) => {
  const accounts = new Map<string, Account>();
  const total = { running: 0, waiting: 0 };
  let turn = 0;
  let closed = false;

  const find = (accountId: string): Account => {
    const account = accounts.get(accountId) ?? { running: 0, line: new Set(), lastTurn: -1 };
    accounts.set(accountId, account);
    return account;
  };

  const forgetIdle = (accountId: string): void => {
    const account = find(accountId);
    if (account.running === 0 && account.line.size === 0) accounts.delete(accountId);
  };

  const hasPlace = ({ running }: Account): boolean =>
    total.running < limits.maxRunning && running < limits.maxRunningPerAccount;

  const hasRoom = ({ line }: Account): boolean =>
    total.waiting < limits.maxWaiting && line.size < limits.maxWaitingPerAccount;

  const begin = (account: Account): void => {
    total.running++;
    account.running++;
    account.lastTurn = turn++;
  };

  /** Resolves to true at the account's turn, to false after `maxWaitMs` or when the limiter is closed. */
  const wait = (account: Account): Promise<boolean> =>
    new Promise((resolve) => {
      const leave = (admitted: boolean): void => {
        clearTimeout(timer);
        account.line.delete(waiter);
        total.waiting--;
        resolve(admitted);
      };
      const waiter: Waiter = { begin: () => leave(true), giveUp: () => leave(false) };
      const timer = setTimeout(waiter.giveUp, limits.maxWaitMs);
      account.line.add(waiter);
      total.waiting++;
    });

  const callNext = (): void => {
    let next: Account | undefined;
    for (const account of accounts.values()) {
      if (account.line.size === 0 || !hasPlace(account)) continue;
      if (!next || account.lastTurn < next.lastTurn) next = account;
    }
    const [waiter] = next?.line ?? [];
    if (!next || !waiter) return;
    begin(next);
    waiter.begin();
  };

  const enter = async (account: Account): Promise<boolean> => {
    if (closed) return false;
    if (!hasPlace(account)) return hasRoom(account) && (await wait(account));
    begin(account);
    return true;
  };

  return {
    /** Runs `job` at the account's turn. Returns `null` when it was not run: no room, no turn in time, or closed. */
    run: async <T>(accountId: string, job: () => Promise<T>): Promise<T | null> => {
      const account = find(accountId);
      const admitted = await enter(account);
      try {
        return admitted ? await job() : null;
      } finally {
        if (admitted) {
          total.running--;
          account.running--;
        }
        forgetIdle(accountId);
        if (admitted) callNext();
      }
    },
    stats: () => ({ ...total }),
    /** Refuses waiting and later callers. Running jobs continue. */
    close: (): void => {
      closed = true;
      for (const { line } of accounts.values()) for (const waiter of [...line]) waiter.giveUp();
    },
  };
};
