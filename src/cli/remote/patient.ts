/** Calls a gateway until it answers: it may be restarted, or ask for patience, while a batch is made. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Api, type Ask, errorOf, explain, explainSilence } from '../api.ts';
import { retryAfterMs } from '../bulk/pace.ts';
import { failed } from '../fault.ts';
import { createOutage } from '../outage.ts';
import type { Output } from '../terminal.ts';

/** A client that repeats calls. */
export interface Patient {
  readonly api: Api;
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal;
  /**
   * Returns the first answer with one of these statuses.
   *
   * @throws {CliFault} for an answer that will not change, or when nothing has succeeded for five minutes.
   */
  ask(ask: Ask, accepted: readonly number[]): Promise<Answer>;
  /**
   * Waits before the next try.
   *
   * @param error What `fetch` threw; `null` when the gateway has answered.
   * @throws {CliFault} when nothing has succeeded for five minutes.
   */
  backOff(problem: string, error: unknown, retryMs?: number): Promise<void>;
  /** Says that a call has succeeded. */
  succeed(): void;
}

const TIMEOUT_MS = 30_000;
const BACKOFF = { minMs: 250, maxMs: 15_000 } as const;
/** A gateway that was killed while it received the batch is waited for this long. */
const RUNNING_MAX_MS = 3_600_000;

const isRunning = (answer: Answer): boolean => errorOf(answer)?.error === 'Request still running';

const isPassing = (answer: Answer): boolean =>
  answer.status >= 500 || (answer.status === 429 && errorOf(answer)?.error !== 'Quota exhausted');

/** Makes a patient client. @param err Where the user is told that the gateway cannot be reached. */
export const createPatient = (api: Api, signal: AbortSignal, err: Output): Patient => {
  const outage = createOutage(api.url, err);
  let tries = 0;

  const backOff = async (problem: string, error: unknown, retryMs = 0): Promise<void> => {
    signal.throwIfAborted();
    outage.fail(problem, error);
    const grownMs = Math.min(BACKOFF.maxMs, BACKOFF.minMs * 2 ** tries);
    tries += 1;
    await sleep(Math.max(retryMs, grownMs * Math.random()), undefined, { signal });
  };

  const succeed = (): void => {
    outage.end();
    tries = 0;
  };

  return {
    api,
    signal,
    backOff,
    succeed,
    async ask(ask, accepted) {
      const startedMs = performance.now();
      for (;;) {
        signal.throwIfAborted();
        const timeout = AbortSignal.timeout(ask.timeoutMs ?? TIMEOUT_MS);
        const answer = await api
          .send({ ...ask, signal: AbortSignal.any([signal, timeout]) })
          .catch((error: Error) => error);
        if (answer instanceof Error) {
          await backOff(explainSilence(api.url, answer), answer);
          continue;
        }
        const retryMs = retryAfterMs(answer.headers) ?? 0;
        if (isRunning(answer) && performance.now() - startedMs < RUNNING_MAX_MS) {
          await sleep(Math.max(retryMs, BACKOFF.minMs), undefined, { signal });
          continue;
        }
        if (accepted.includes(answer.status)) {
          succeed();
          return answer;
        }
        const problem = explain(api.url, answer);
        if (!isPassing(answer)) throw failed(problem);
        await backOff(problem, null, retryMs);
      }
    },
  };
};
