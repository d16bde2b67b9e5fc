/** When a call is retried, and after which pause. */
import type { TesseraError } from './error.ts';

/** How often and how late a call is retried. */
export interface Patience {
  /** Retries after the first try. */
  readonly retries: number;
  /** The longest pause before one. When the service asks for a longer one, its refusal is thrown at once. */
  readonly maxPauseMs: number;
  /** No try begins later than this after the first one. */
  readonly giveUpMs: number;
  /** Called before each pause. */
  readonly onRetry?: (failure: TesseraError, pauseMs: number) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_BACKOFF_MS = 8000;

/** The service has done nothing yet, and says when to retry. */
const REFUSED_UNTRIED: ReadonlySet<string> = new Set(['rate_limited', 'overloaded', 'idempotency_running']);
/** Nobody knows whether the service did it. */
const UNANSWERED: ReadonlySet<string> = new Set(['unreachable', 'timeout']);
/** Statuses of a service, or of a proxy in front of it, that is briefly unavailable. */
const AWAY: ReadonlySet<number> = new Set([408, 502, 503, 504]);

/** Whether a failure leaves open what the service did. */
export const isUnanswered = ({ code }: TesseraError): boolean => UNANSWERED.has(code);

/** Whether nothing was done: the service, or a proxy in front of it that limits requests, has not begun. */
const isUntried = ({ code, status, wasSent }: TesseraError): boolean =>
  REFUSED_UNTRIED.has(code) || (code === 'unknown' && status === 429) || !wasSent;

/** Whether a retry may help and does no harm. @param isRepeatable Whether the call is idempotent. */
const mayTryAgain = (failure: TesseraError, isRepeatable: boolean): boolean =>
  isUntried(failure) || (isRepeatable && (isUnanswered(failure) || AWAY.has(failure.status)));

/** What was tried. */
interface Tried {
  readonly tries: number;
  readonly spentMs: number;
  readonly isRepeatable: boolean;
  readonly random: number;
}

/**
 * Returns the pause before the next try in milliseconds, or `null` when there is none. Pauses double, with jitter, so
 * that clients that failed together do not retry together; none is shorter than the service asks for.
 *
 * @param tries Tries so far.
 * @param spentMs Since the first one.
 * @param random From 0 to 1.
 */
export const pauseBefore = (
  failure: TesseraError,
  { tries, spentMs, isRepeatable, random }: Tried,
  { retries, maxPauseMs, giveUpMs }: Omit<Patience, 'onRetry'>,
): number | null => {
  if (tries > retries || !mayTryAgain(failure, isRepeatable)) return null;
  const backoffMs = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_BACKOFF_MS);
  const askedMs = (failure.retryAfterS ?? 0) * 1000;
  const pauseMs = askedMs > 0 ? askedMs + backoffMs * random : backoffMs * (0.5 + random / 2);
  if (askedMs > maxPauseMs || spentMs + Math.min(pauseMs, maxPauseMs) > giveUpMs) return null;
  return Math.min(pauseMs, maxPauseMs);
};

/** Resolves after some milliseconds. @throws The reason of the signal, when it aborts before. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
