import { currentTrace, noteSpan, runOutside, type Trace } from '../../../tracing/trace.ts';
import { ledgerError, toLedgerError } from '../fault.ts';

/** An argument of a script. */
export type Arg = string | number;

/** How a batcher sends calls, and the bounds of its queues. */
export interface BatcherOptions {
  /** Runs the script once for the given groups; resolves with one answer a call, in their order. */
  run(keys: readonly string[], args: readonly Arg[]): Promise<readonly string[]>;
  /** Returns the keys of a shard, which come before those of its calls. */
  shardKeys(shard: number): readonly string[];
  /** Whether Redis is connected. While it is not, calls are refused at once. */
  isReady(): boolean;
  /** Calls in one script run. Redis does nothing else while a script runs. */
  readonly batchMax: number;
  /** Script runs of a shard without an answer yet. */
  readonly inFlightMax: number;
  /** Calls that wait in all shards together; a further one is refused. */
  readonly queueMax: number;
  /** How long a call that can wait lets others come first. */
  readonly patienceMs: number;
}

/** One call of a script run. */
export interface ScriptCall {
  readonly shard: number;
  readonly keys: readonly string[];
  /** Its arguments; asked for when the run is sent. */
  args(): readonly Arg[];
}

/** Runs a script for single calls. */
export interface Batcher {
  /**
   * Joins the calls of the same moment into one script run for each shard, and resolves with the answer of this call.
   * Rejects with a `LedgerFault`. A call without an answer is indeterminate: its script may have run, or may still run.
   */
  call(call: ScriptCall): Promise<string>;
  /** As `call`, for a call that can wait: it joins the next run of its shard, or goes alone after `patienceMs`. */
  callLater(call: ScriptCall): Promise<string>;
}

interface Waiting {
  readonly call: ScriptCall;
  readonly trace: Trace | undefined;
  resolve(answer: string): void;
  reject(error: unknown): void;
}

/** The calls of one shard. Patient calls go first in a run: they close what others may need. */
interface Lane {
  readonly shard: number;
  queue: Waiting[];
  patient: Waiting[];
  inFlight: number;
  isScheduled: boolean;
  timer: NodeJS.Timeout | null;
}

const answerAll = (calls: readonly Waiting[], answers: readonly string[]) => {
  calls.forEach((call, i) => {
    const answer = answers[i]!;
    if (answer.startsWith('error|')) call.reject(ledgerError('LEDGER_FAULT', answer));
    else call.resolve(answer);
  });
};

/** One run serves many requests: each has a span of it. */
const noteRun = (calls: readonly Waiting[], startMs: number): void => {
  const endMs = Date.now();
  const attributes = { 'db.system.name': 'redis', 'tessera.calls': calls.length };
  for (const { trace } of calls)
    noteSpan(trace, 'redis quotaRun', { startMs, endMs }, { kind: 'client', attributes });
};

/** Creates a batcher: one run for many calls costs Redis and the client far less than a run for each. */
export const createBatcher = (options: BatcherOptions): Batcher => {
  const lanes = new Map<number, Lane>();
  let waiting = 0;

  const take = (queue: Waiting[], count: number): Waiting[] => {
    const calls = queue.splice(0, count);
    waiting -= calls.length;
    return calls;
  };

  const send = async (lane: Lane): Promise<void> => {
    const patient = take(lane.patient, options.batchMax);
    const calls = patient.concat(take(lane.queue, options.batchMax - patient.length));
    const keys = [...options.shardKeys(lane.shard)];
    const args: Arg[] = [calls.length];
    for (const { call } of calls) {
      for (const key of call.keys) keys.push(key);
      for (const arg of call.args()) args.push(arg);
    }
    lane.inFlight += 1;
    const startMs = Date.now();
    try {
      const answers = await options.run(keys, args);
      noteRun(calls, startMs);
      answerAll(calls, answers);
    } catch (cause) {
      const error = toLedgerError(cause);
      for (const call of calls) call.reject(error);
      // The calls that wait would time out one after the other, so they fail now.
      const unavailable = ledgerError('LEDGER_UNAVAILABLE', 'Redis gave no answer to earlier calls', error);
      for (const queue of [lane.patient, lane.queue])
        for (const call of take(queue, queue.length)) call.reject(unavailable);
    } finally {
      lane.inFlight -= 1;
      if (lane.queue.length > 0) flush(lane);
    }
  };

  const flush = (lane: Lane) => {
    lane.isScheduled = false;
    if (lane.timer) clearTimeout(lane.timer);
    lane.timer = null;
    while (lane.queue.length + lane.patient.length > 0) {
      if (lane.inFlight >= options.inFlightMax) break;
      void send(lane);
    }
    if (lane.patient.length > 0) wait(lane);
  };

  const schedule = (lane: Lane) => {
    if (lane.isScheduled) return;
    lane.isScheduled = true;
    // Runs after the events of this turn of the event loop, so that their calls go together.
    runOutside(() => setImmediate(flush, lane));
  };

  const wait = (lane: Lane) => {
    if (lane.isScheduled || lane.timer) return;
    lane.timer = runOutside(() => setTimeout(flush, options.patienceMs, lane));
  };

  const laneOf = (shard: number): Lane => {
    const known = lanes.get(shard);
    if (known) return known;
    const lane = { shard, queue: [], patient: [], inFlight: 0, isScheduled: false, timer: null };
    lanes.set(shard, lane);
    return lane;
  };

  const join = (call: ScriptCall, queueOf: (lane: Lane) => Waiting[], go: (lane: Lane) => void) =>
    new Promise<string>((resolve, reject) => {
      if (!options.isReady()) return reject(ledgerError('LEDGER_UNAVAILABLE', 'Redis is not connected'));
      if (waiting >= options.queueMax)
        return reject(ledgerError('LEDGER_UNAVAILABLE', 'too many calls wait for Redis'));
      const lane = laneOf(call.shard);
      queueOf(lane).push({ call, trace: currentTrace(), resolve, reject });
      waiting += 1;
      go(lane);
    });

  return {
    call: (call) => join(call, (lane) => lane.queue, schedule),
    callLater: (call) => join(call, (lane) => lane.patient, wait),
  };
};
