import { currentTrace, noteSpan, runOutside, type Trace } from '../../tracing/trace.ts';
import { type LedgerOptions, type Reserve, recordedKind, type Take } from '../quota.ts';
import { keysFor } from './keys.ts';
import { ledgerError, type OpenReservation, toLedgerError } from './replies.ts';
import type { QuotaRedis } from './scripts.ts';

/** An argument of a script. */
type Arg = string | number;

/** How a batcher sends calls, and the bounds of its queues. */
interface BatcherOptions {
  /** Runs the script once for calls of a shard, with their keys; resolves with one answer a call, in their order. */
  run(shard: number, keys: readonly string[], args: readonly Arg[]): Promise<readonly string[]>;
  /** Whether Redis is connected. While it is not, calls are refused at once. */
  isReady(): boolean;
  /** Calls in one script run. Redis does nothing else while a script runs. */
  readonly callsMax: number;
  /** Script runs of a shard without an answer yet. */
  readonly inFlightMax: number;
  /** Calls that wait in all shards together; a further one is refused. */
  readonly queueMax: number;
  /** How long a patient call waits for a run of its shard before it goes alone. */
  readonly patienceMs: number;
}

/** One call of a script run. */
interface ScriptCall {
  readonly shard: number;
  readonly keys: readonly string[];
  /** Its arguments; asked for when the run is sent. */
  args(): readonly Arg[];
}

interface Waiting {
  readonly call: ScriptCall;
  readonly trace: Trace | undefined;
  resolve(answer: string): void;
  reject(error: unknown): void;
}

/** The calls of one shard. Patient calls go first in a run: they close what others may need. */
interface ShardQueue {
  readonly shard: number;
  prompt: Waiting[];
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

/** One run serves many requests: each gets its own span of it. */
const noteRun = (calls: readonly Waiting[], startMs: number): void => {
  const endMs = Date.now();
  const attributes = { 'db.system.name': 'redis', 'tessera.calls': calls.length };
  for (const { trace } of calls)
    noteSpan(trace, 'redis quotaRun', { startMs, endMs }, { kind: 'client', attributes });
};

/** Creates a batcher: one run for many calls costs Redis and the client far less than a run for each. */
export const createBatcher = (options: BatcherOptions) => {
  const queues = new Map<number, ShardQueue>();
  let waiting = 0;

  const take = (from: Waiting[], count: number): Waiting[] => {
    const calls = from.splice(0, count);
    waiting -= calls.length;
    return calls;
  };

  const send = async (queue: ShardQueue): Promise<void> => {
    const patient = take(queue.patient, options.callsMax);
    const calls = patient.concat(take(queue.prompt, options.callsMax - patient.length));
    const keys: string[] = [];
    const args: Arg[] = [calls.length];
    for (const { call } of calls) {
      for (const key of call.keys) keys.push(key);
      for (const arg of call.args()) args.push(arg);
    }
    queue.inFlight += 1;
    const startMs = Date.now();
    try {
      const answers = await options.run(queue.shard, keys, args);
      noteRun(calls, startMs);
      answerAll(calls, answers);
    } catch (cause) {
      const error = toLedgerError(cause);
      for (const call of calls) call.reject(error);
      // The calls that wait would time out one after the other, so they fail now.
      const unavailable = ledgerError('LEDGER_UNAVAILABLE', 'Redis gave no answer to earlier calls', error);
      for (const left of [queue.patient, queue.prompt])
        for (const call of take(left, left.length)) call.reject(unavailable);
    } finally {
      queue.inFlight -= 1;
      if (queue.prompt.length > 0) flush(queue);
    }
  };

  const flush = (queue: ShardQueue) => {
    queue.isScheduled = false;
    if (queue.timer) clearTimeout(queue.timer);
    queue.timer = null;
    while (queue.prompt.length + queue.patient.length > 0) {
      if (queue.inFlight >= options.inFlightMax) break;
      void send(queue);
    }
    if (queue.patient.length > 0) wait(queue);
  };

  const schedule = (queue: ShardQueue) => {
    if (queue.isScheduled) return;
    queue.isScheduled = true;
    // Runs after the events of this turn of the event loop, so that their calls go together.
    runOutside(() => setImmediate(flush, queue));
  };

  const wait = (queue: ShardQueue) => {
    if (queue.isScheduled || queue.timer) return;
    queue.timer = runOutside(() => setTimeout(flush, options.patienceMs, queue));
  };

  const queueOfShard = (shard: number): ShardQueue => {
    const known = queues.get(shard);
    if (known) return known;
    const queue = { shard, prompt: [], patient: [], inFlight: 0, isScheduled: false, timer: null };
    queues.set(shard, queue);
    return queue;
  };

  const join = (
    call: ScriptCall,
    queueOf: (queue: ShardQueue) => Waiting[],
    go: (queue: ShardQueue) => void,
  ) =>
    new Promise<string>((resolve, reject) => {
      if (!options.isReady()) return reject(ledgerError('LEDGER_UNAVAILABLE', 'Redis is not connected'));
      if (waiting >= options.queueMax)
        return reject(ledgerError('LEDGER_UNAVAILABLE', 'too many calls wait for Redis'));
      const queue = queueOfShard(call.shard);
      queueOf(queue).push({ call, trace: currentTrace(), resolve, reject });
      waiting += 1;
      go(queue);
    });

  return {
    /**
     * Joins the calls of the same moment into one script run for each shard, and resolves with the answer of this call.
     * Rejects with a `LedgerFault`. A call without an answer is indeterminate: its script may have run, or may still run.
     */
    call: (call: ScriptCall): Promise<string> => join(call, (queue) => queue.prompt, schedule),
    /** As `call`, for a call that can wait: it joins the next run of its shard, or goes alone after `patienceMs`. */
    callLater: (call: ScriptCall): Promise<string> => join(call, (queue) => queue.patient, wait),
  };
};

/** What the script needs besides the calls. */
interface CallOptions extends Omit<LedgerOptions, 'sql'> {
  /** How long a claim keeps its answer. */
  readonly keepAnswerMs: number;
  /** Called when a script has run for a shard, or may have. */
  onRun(shard: number): void;
}

/** How a reservation is closed. */
interface Closing {
  readonly refundUnits: number;
  /** Whether the answer has the balance. */
  readonly told: boolean;
  /** What the claim keeps; '' releases the claim. */
  readonly kept: string;
  /** Whether it waits for the next run of its shard. */
  readonly isPatient: boolean;
}

/** The calls of requests, each run for many requests at once. They resolve with the answers of `lua/run.lua`. */
export type Calls = ReturnType<typeof createCalls>;

/** A script run of this many calls takes Redis half a millisecond to two. */
const CALLS_MAX = 256;
const IN_FLIGHT_MAX = 2;
const QUEUE_MAX = 20_000;
const PATIENCE_MS = 5;

/** Returns the arguments that say for whose quotas units count, as `lua/ledger.lua` describes them. */
export const keyArgs = ({
  use,
  keyQuota = null,
  makers = [],
}: Omit<Take, 'accountId'>): readonly [use: string, quotas: string] => {
  const keys = [{ keyId: use.keyId, monthlyQuota: keyQuota }, ...makers];
  const hasQuota = keys.some(({ monthlyQuota }) => monthlyQuota !== null);
  return [
    `${recordedKind(use)}:${keys.map((key) => key.keyId).join(',')}`,
    hasQuota ? keys.map(({ monthlyQuota }) => monthlyQuota ?? '').join(',') : '',
  ];
};

/** Creates the calls over one client. They fail with a `LedgerFault`. */
export const createCalls = (redis: QuotaRedis, options: CallOptions) => {
  const { planMonthly, reservationTtlMs, keepAnswerMs, onRun } = options;
  const keys = keysFor(redis);
  const batcher = createBatcher({
    isReady: () => redis.status === 'ready',
    callsMax: CALLS_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    queueMax: QUEUE_MAX,
    patienceMs: PATIENCE_MS,
    async run(shard, callKeys, args) {
      const runKeys = [keys.open(shard), keys.stream(shard), keys.moved(shard), ...callKeys];
      const terms = [reservationTtlMs, planMonthly.free, planMonthly.pro, keepAnswerMs];
      try {
        return await redis.quotaRun(runKeys.length, ...runKeys, ...terms, ...args);
      } finally {
        onRun(shard);
      }
    },
  });

  const callOf = (accountId: string, args: () => readonly Arg[], secondKey?: string): ScriptCall => {
    const key = keys.account(accountId);
    return { shard: keys.shardOf(accountId), keys: secondKey === undefined ? [key] : [key, secondKey], args };
  };

  const settle = (id: string, accountId: string, { refundUnits, told, kept, isPatient }: Closing) => {
    const isPlain = refundUnits === 0 && !told && kept === '';
    const args = isPlain ? ['s', id] : ['S', id, refundUnits, told ? 1 : 0, kept];
    const call = callOf(accountId, () => args);
    return isPatient ? batcher.callLater(call) : batcher.call(call);
  };

  return {
    /** @param isChecked Whether the claim was not found in Postgres. Without it the answer may be `moved`. */
    reserve(request: Reserve, isChecked: boolean = false): Promise<string> {
      const { id, accountId, units, claim } = request;
      const by = keyArgs(request);
      if (claim === undefined) return batcher.call(callOf(accountId, () => ['r', id, units, ...by]));
      const args = [isChecked ? 'C' : 'c', id, units, ...by, claim.bodyHash];
      return batcher.call(callOf(accountId, () => args, keys.claim(accountId, claim.route, claim.key)));
    },
    /** Takes units for work that is done, as many as are left. @param units Asked for when the run is sent. */
    take(request: Take & { readonly id: string }, units: () => number): Promise<string> {
      const by = keyArgs(request);
      return batcher.call(callOf(request.accountId, () => ['t', request.id, units(), ...by]));
    },
    settle,
    /** As `settle`, for a reservation in the remainder, of which the caller knows what it took. */
    settleRemainder(
      id: string,
      accountId: string,
      opened: OpenReservation,
      { refundUnits, told }: Closing,
    ): Promise<string> {
      const { epoch, expiresMs, period, fromMonthly, fromCredits, use } = opened;
      const taken = [epoch, expiresMs, period, fromMonthly, fromCredits, use];
      const args = ['d', id, ...taken, refundUnits, told ? 1 : 0];
      return batcher.call(callOf(accountId, () => args, keys.marker(accountId, 'remainder', id)));
    },
    /** Closes the reservation if its time is over, and answers as `settle`; otherwise the answer is `open`. */
    closeIfDue: (id: string, accountId: string): Promise<string> =>
      settle(id, accountId, { refundUnits: -1, told: false, kept: '', isPatient: true }),
  };
};
