/** Calls a gateway with retries: while codes are made, it may be restarted, or throttle the caller. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Api, type Ask, errorOf, explain, explainSilence, reasonOfSilence } from './api.ts';
import { CliFault, commandError } from './fault.ts';
import { createPace, readRetryAfterMs } from './pace.ts';
import { CLEAR_LINE, type Output } from './terminal.ts';

/** A client that retries calls. */
export type Patient = ReturnType<typeof createPatient>;

const TIMEOUT_MS = 30_000;
const BACKOFF_MIN_MS = 250;
const BACKOFF_MAX_MS = 15_000;
/** A gateway may be restarted within this time. */
const GIVE_UP_MS = 300_000;
const GIVE_UP_TOLD = `${GIVE_UP_MS / 60_000} minutes`;
/** How long to wait for a call that another gateway had begun when it was killed. */
const RUNNING_MAX_MS = 3_600_000;
/** An internal error of the gateway is worth a few attempts, not more. */
const MAX_INTERNAL_ERRORS = 5;

/** An answer after which the same call may succeed. */
class Passing extends Error {
  readonly answer: Answer;

  constructor(problem: string, answer: Answer) {
    super(problem);
    this.answer = answer;
  }
}

/** Whether the same request may succeed soon. The month's quota does not come back soon. */
const isPassing = (answer: Answer): boolean =>
  answer.status >= 500 || (answer.status === 429 && errorOf(answer)?.error !== 'Quota exhausted');

/**
 * Makes a patient client.
 *
 * @param signal Aborted to end the command: pending waits then reject.
 * @param err Receives the message that the gateway cannot be reached: at once, and once per outage.
 * @param options.cutsCalls Whether the signal ends calls that are under way.
 */
export const createPatient = (api: Api, signal: AbortSignal, err: Output, { cutsCalls = true } = {}) => {
  const pace = createPace(signal);
  let sinceMs: number | null = null;
  let isTold = false;

  /** @throws {CliFault} when nothing has succeeded for `GIVE_UP_MS`. */
  const noteFailure = (error: Error): void => {
    const reason = error instanceof Passing ? null : reasonOfSilence(error);
    sinceMs ??= performance.now();
    if (performance.now() - sinceMs > GIVE_UP_MS) {
      const problem = reason === null ? error.message : explainSilence(api.url, error);
      throw commandError(`gave up after ${GIVE_UP_TOLD}: ${problem}`);
    }
    if (reason === null || isTold) return;
    isTold = true;
    const line = `${api.url} cannot be reached (${reason}); trying again for up to ${GIVE_UP_TOLD}\n`;
    err.write(err.isTTY ? `\r${CLEAR_LINE}${line}` : line);
  };

  const backOff = async (tries: number, error: Error): Promise<void> => {
    const answer = error instanceof Passing ? error.answer : null;
    // Jitter, so that calls that failed together do not retry together.
    const grownMs = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** tries) * Math.random();
    const waitMs = Math.max(grownMs, answer === null ? 0 : (readRetryAfterMs(answer.headers) ?? 0));
    // An internal error concerns one call, and all others concern the gateway as a whole.
    if (answer?.status === 500) await sleep(waitMs, undefined, { signal });
    else pace.hold(waitMs);
  };

  /**
   * Runs `attempt` until it succeeds, and waits in between as long as the gateway asks.
   *
   * @throws A fault of the command or of the file system; a `CliFault` when nothing has succeeded for five minutes; the
   *   reason of the signal when that is aborted.
   */
  const persist = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries += 1) {
      await pace.turn();
      try {
        const value = await attempt();
        sinceMs = null;
        isTold = false;
        return value;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof CliFault || 'syscall' in (error as Error)) throw error;
        noteFailure(error as Error);
        await backOff(tries, error as Error);
      }
    }
  };

  return {
    api,
    signal,
    persist,

    /** Returns the first answer that `isWanted`. @throws As `persist`, and a `CliFault` for an answer that will not change. */
    ask(ask: Ask, isWanted: (answer: Answer) => boolean): Promise<Answer> {
      const startedMs = performance.now();
      let internalErrors = 0;
      const attempt = async (): Promise<Answer> => {
        const timeout = AbortSignal.timeout(ask.timeoutMs ?? TIMEOUT_MS);
        const answer = await api.send({
          ...ask,
          signal: cutsCalls ? AbortSignal.any([signal, timeout]) : timeout,
        });
        pace.note(answer.headers);
        const isRunning = errorOf(answer)?.error === 'Request still running';
        if (isRunning && performance.now() - startedMs < RUNNING_MAX_MS) {
          const waitMs = Math.max(BACKOFF_MIN_MS, readRetryAfterMs(answer.headers) ?? 0);
          await sleep(waitMs, undefined, { signal });
          return attempt();
        }
        if (isWanted(answer)) return answer;
        const problem = explain(api.url, answer);
        if (answer.status === 500) internalErrors += 1;
        if (!isPassing(answer) || internalErrors === MAX_INTERNAL_ERRORS) throw commandError(problem);
        throw new Passing(problem, answer);
      };
      return persist(attempt);
    },
  };
};

/** Makes a function that returns whether an answer has one of these statuses. */
export const hasStatus =
  (...statuses: readonly number[]) =>
  ({ status }: Answer): boolean =>
    statuses.includes(status);
