/**
 * Start-time fair queueing over accounts: the account that has been served least goes first.
 *
 * P. Goyal, H. Vin, H. Cheng, "Start-time Fair Queueing", SIGCOMM 1996. Serving several jobs at a time keeps its
 * bounds (W. Jin, J. Chase, J. Kaur, "Interposed Proportional Sharing", SIGMETRICS 2004). An account's tag is the
 * start tag of its first job and rises by the cost of each job that is taken; the account with the lowest tag is
 * next. Virtual time is the tag of the job that was taken last. An account that has been idle starts there: it has
 * neither saved up service nor lost its place.
 *
 * The queue guarantees that the jobs of one account leave in the order in which they came; that a job of an account
 * with nothing queued waits for at most one job of every other account; and that the service of two accounts that
 * both have work queued differs by at most one job of each.
 */

/** What the queue needs to know of a job. */
export interface FairJob {
  readonly accountId: string;
  /** Estimated time on one thread. */
  readonly costMs: number;
  /** Memory that the job holds while it waits. */
  readonly bytes: number;
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number;
}

/** What is queued, or would be. */
export interface Amount {
  readonly tasks: number;
  /** Estimated time on one thread. */
  readonly workMs: number;
  readonly bytes: number;
}

/** The amount of an empty queue. */
export const NOTHING: Amount = { tasks: 0, workMs: 0, bytes: 0 };

/** Adds each measure. */
export const add = (one: Amount, other: Amount): Amount => ({
  tasks: one.tasks + other.tasks,
  workMs: one.workMs + other.workMs,
  bytes: one.bytes + other.bytes,
});

/** Returns the smaller value of each measure. */
export const limitAmount = (one: Amount, most: Amount): Amount => ({
  tasks: Math.min(one.tasks, most.tasks),
  workMs: Math.min(one.workMs, most.workMs),
  bytes: Math.min(one.bytes, most.bytes),
});

/** Returns this share (0 to 1) of each measure. */
export const shareOf = ({ tasks, workMs, bytes }: Amount, share: number): Amount => ({
  tasks: tasks * share,
  workMs: workMs * share,
  bytes: bytes * share,
});

const without = (whole: Amount, part: Amount): Amount =>
  // Without tasks the work is 0, though sums of fractions of a millisecond may not be.
  whole.tasks === part.tasks
    ? NOTHING
    : {
        tasks: whole.tasks - part.tasks,
        workMs: Math.max(0, whole.workMs - part.workMs),
        bytes: whole.bytes - part.bytes,
      };

const amountOf = ({ costMs, bytes }: FairJob): Amount => ({ tasks: 1, workMs: costMs, bytes });

interface Flow<J> {
  readonly accountId: string;
  jobs: J[];
  held: Amount;
  tagMs: number;
}

/** Accounts with nothing queued that are remembered, beyond twice the number of accounts with work. */
const IDLE_FLOWS_MAX = 64;

/** Creates an empty queue. */
export const createFairQueue = <J extends FairJob>() => {
  /** Includes accounts with nothing queued, as long as their tag is ahead of virtual time. */
  const flows = new Map<string, Flow<J>>();
  /** The accounts with work, ordered by tag and, for equal tags, by arrival. */
  let backlog: Flow<J>[] = [];
  let virtualMs = 0;
  let held = NOTHING;

  const insert = (flow: Flow<J>): void => {
    let low = 0;
    let high = backlog.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (backlog[middle]!.tagMs <= flow.tagMs) low = middle + 1;
      else high = middle;
    }
    backlog.splice(low, 0, flow);
  };

  const forgetIdle = (): void => {
    if (flows.size <= 2 * backlog.length + IDLE_FLOWS_MAX) return;
    for (const flow of flows.values()) {
      if (flow.jobs.length === 0 && flow.tagMs <= virtualMs) flows.delete(flow.accountId);
    }
  };

  const takeOne = (): J => {
    const flow = backlog.shift()!;
    const job = flow.jobs.shift()!;
    virtualMs = flow.tagMs;
    flow.tagMs += job.costMs;
    flow.held = without(flow.held, amountOf(job));
    held = without(held, amountOf(job));
    if (flow.jobs.length > 0) insert(flow);
    return job;
  };

  /** Removes and returns the jobs whose deadline has passed. Their accounts are not charged for them. */
  const expire = (nowMs: number): J[] => {
    const expired: J[] = [];
    for (const flow of backlog) {
      const late = flow.jobs.filter((job) => job.deadlineMs <= nowMs);
      if (late.length === 0) continue;
      const gone = late.map(amountOf).reduce(add);
      flow.jobs = flow.jobs.filter((job) => job.deadlineMs > nowMs);
      flow.held = without(flow.held, gone);
      held = without(held, gone);
      expired.push(...late);
    }
    if (expired.length > 0) backlog = backlog.filter((flow) => flow.jobs.length > 0);
    return expired;
  };

  return {
    get size(): number {
      return held.tasks;
    },

    /** Everything that is queued. */
    get held(): Amount {
      return held;
    },

    /** Everything that is queued, counting at most `most` for each account. */
    heldUpTo(most: Amount): Amount {
      return backlog.map((flow) => limitAmount(flow.held, most)).reduce(add, NOTHING);
    },

    /** What is queued of this account. */
    heldBy(accountId: string): Amount {
      return flows.get(accountId)?.held ?? NOTHING;
    },

    /** Work that would be taken before a new job of this account if no other job came. Exact except for ties. */
    aheadMs(accountId: string): number {
      const own = flows.get(accountId);
      const startTagMs = Math.max(virtualMs, own?.tagMs ?? 0) + (own?.held.workMs ?? 0);
      let aheadMs = 0;
      for (const flow of backlog) {
        // Usually all of an account's work comes first; for the account itself always. Otherwise jobs are counted.
        if (flow.tagMs + flow.held.workMs <= startTagMs) {
          aheadMs += flow.held.workMs;
          continue;
        }
        let tagMs = flow.tagMs;
        for (const job of flow.jobs) {
          if (tagMs > startTagMs) break;
          aheadMs += job.costMs;
          tagMs += job.costMs;
        }
      }
      return aheadMs;
    },

    push(job: J): void {
      let flow = flows.get(job.accountId);
      if (flow === undefined) {
        flow = { accountId: job.accountId, jobs: [], held: NOTHING, tagMs: virtualMs };
        flows.set(job.accountId, flow);
      }
      flow.jobs.push(job);
      flow.held = add(flow.held, amountOf(job));
      held = add(held, amountOf(job));
      if (flow.jobs.length > 1) return;
      flow.tagMs = Math.max(flow.tagMs, virtualMs);
      insert(flow);
    },

    /** Takes the next job, and further ones while all cost at most `budgetMs` together; at most `max` jobs. */
    take(budgetMs: number, max: number): J[] {
      const group: J[] = [];
      let groupMs = 0;
      while (held.tasks > 0 && group.length < max) {
        const nextMs = backlog[0]!.jobs[0]!.costMs;
        if (group.length > 0 && groupMs + nextMs > budgetMs) break;
        group.push(takeOne());
        groupMs += nextMs;
      }
      forgetIdle();
      return group;
    },

    expire,

    /** Removes and returns everything. */
    drain: (): J[] => expire(Number.POSITIVE_INFINITY),

    /** Forgets what accounts were served before. Call it when nothing is queued or running. */
    endBusyPeriod(): void {
      flows.clear();
      virtualMs = 0;
    },
  };
};
