import { ledgerError, toLedgerError } from './fault.ts';
import { shardKeys } from './keys.ts';

type Arg = string | number;

export interface BatcherOptions {
  /** Runs the script with the keys and arguments of its groups; answers each call in order. */
  run(keys: readonly string[], args: readonly Arg[]): Promise<readonly string[]>;
  isReady(): boolean;
  /** Whether the keys of one script must be of one shard, as on a Cluster. */
  readonly oneShardOnly: boolean;
  /** Calls in one script: the server does nothing else while it runs. */
  readonly batchMax: number;
  /** Scripts under way at once. */
  readonly inFlightMax: number;
  /** Calls waiting; the next is refused. */
  readonly queueMax: number;
}

export interface Batcher {
  /**
   * Joins the calls of the same moment into one script run. Fails with a `LedgerFault`; a call without an answer is
   * indeterminate: its script may have run, or may run yet.
   */
  call(shard: number, keys: readonly string[], arg: string): Promise<string>;
}

interface Call {
  readonly shard: number;
  readonly keys: readonly string[];
  readonly arg: string;
  resolve(answer: string): void;
  reject(error: unknown): void;
}

interface Lane {
  queue: Call[];
  inFlight: number;
  scheduled: boolean;
}

const byShard = (calls: readonly Call[]): Call[][] => {
  const groups = new Map<number, Call[]>();
  for (const call of calls) {
    const group = groups.get(call.shard);
    if (group) group.push(call);
    else groups.set(call.shard, [call]);
  }
  return [...groups.values()];
};

const answerAll = (calls: readonly Call[], answers: readonly string[]) => {
  calls.forEach((call, i) => {
    const answer = answers[i]!;
    if (answer.startsWith('error|')) call.reject(ledgerError('LEDGER_FAULT', answer));
    else call.resolve(answer);
  });
};

/** A script run costs the server far less for many calls than many runs do, and the client too. */
export const createBatcher = (options: BatcherOptions): Batcher => {
  const lanes = new Map<number, Lane>();
  let waiting = 0;

  const take = (lane: Lane, count: number): Call[] => {
    const calls = lane.queue.splice(0, count);
    waiting -= calls.length;
    return calls;
  };

  const send = async (lane: Lane): Promise<void> => {
    const groups = byShard(take(lane, options.batchMax));
    const calls = groups.flat();
    const keys: string[] = [];
    const args: Arg[] = [];
    for (const group of groups) {
      keys.push(...shardKeys(group[0]!.shard));
      args.push(group.length);
      for (const call of group) {
        keys.push(...call.keys);
        args.push(call.arg);
      }
    }
    lane.inFlight += 1;
    try {
      answerAll(calls, await options.run(keys, args));
    } catch (cause) {
      const error = toLedgerError(cause);
      for (const call of calls) call.reject(error);
      // What waits behind would wait in vain: callers are told now rather than one time-out after the other.
      const away = ledgerError('LEDGER_AWAY', 'Redis gave no answer to those before', error);
      for (const call of take(lane, lane.queue.length)) call.reject(away);
    } finally {
      lane.inFlight -= 1;
      flush(lane);
    }
  };

  const flush = (lane: Lane) => {
    lane.scheduled = false;
    while (lane.queue.length > 0 && lane.inFlight < options.inFlightMax) void send(lane);
  };

  const laneOf = (shard: number): Lane => {
    const name = options.oneShardOnly ? shard : 0;
    const lane = lanes.get(name) ?? { queue: [], inFlight: 0, scheduled: false };
    lanes.set(name, lane);
    return lane;
  };

  return {
    call: (shard, keys, arg) =>
      new Promise((resolve, reject) => {
        if (!options.isReady()) return reject(ledgerError('LEDGER_AWAY', 'Redis is not connected'));
        if (waiting >= options.queueMax)
          return reject(ledgerError('LEDGER_AWAY', 'too many calls wait for Redis'));
        const lane = laneOf(shard);
        lane.queue.push({ shard, keys, arg, resolve, reject });
        waiting += 1;
        if (lane.scheduled) return;
        lane.scheduled = true;
        // After the events of this turn, so that what they ask for goes together.
        setImmediate(flush, lane);
      }),
  };
};
