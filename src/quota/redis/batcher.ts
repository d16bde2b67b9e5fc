import { ledgerError, toLedgerError } from './fault.ts';
import { shardKeys } from './keys.ts';

type Arg = string | number;

/** How a batcher sends calls, and the bounds of its queues. */
export interface BatcherOptions {
  /** Runs the script once for the given groups; resolves with one answer a call, in their order. */
  run(keys: readonly string[], args: readonly Arg[]): Promise<readonly string[]>;
  /** Whether Redis is connected. While it is not, calls are refused at once. */
  isReady(): boolean;
  /** Whether one script run may only use keys of one shard, as on a Redis Cluster. */
  readonly oneShardOnly: boolean;
  /** Calls in one script run. Redis does nothing else while a script runs. */
  readonly batchMax: number;
  /** Script runs without an answer yet, in each lane. */
  readonly inFlightMax: number;
  /** Calls that wait in all lanes together; a further one is refused. */
  readonly queueMax: number;
}

/** Runs a script for single calls. */
export interface Batcher {
  /**
   * Joins the calls of the same moment into one script run, and resolves with the answer of this call. Rejects with a
   * `LedgerFault`. A call without an answer is indeterminate: its script may have run, or may still run.
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

/** Creates a batcher: one run for many calls costs Redis and the client far less than a run for each. */
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
      // The calls that wait would time out one after the other, so they fail now.
      const unavailable = ledgerError('LEDGER_UNAVAILABLE', 'Redis gave no answer to earlier calls', error);
      for (const call of take(lane, lane.queue.length)) call.reject(unavailable);
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
        if (!options.isReady()) return reject(ledgerError('LEDGER_UNAVAILABLE', 'Redis is not connected'));
        if (waiting >= options.queueMax)
          return reject(ledgerError('LEDGER_UNAVAILABLE', 'too many calls wait for Redis'));
        const lane = laneOf(shard);
        lane.queue.push({ shard, keys, arg, resolve, reject });
        waiting += 1;
        if (lane.scheduled) return;
        lane.scheduled = true;
        // Runs after the events of this turn of the event loop, so that their calls go together.
        setImmediate(flush, lane);
      }),
  };
};
