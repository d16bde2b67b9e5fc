import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Api, errorOf, explain, explainSilence, reasonOfSilence } from '../api.ts';
import { failed } from '../fault.ts';
import { createOutage } from '../outage.ts';
import { type Output, printable } from '../terminal.ts';
import { withOptionNames } from '../wording.ts';
import { type Asked, askedHeaders } from './asked-headers.ts';
import { readItemWarnings } from './item-warnings.ts';
import { createPace, retryAfterMs } from './pace.ts';

/** One element of `results` in a bulk answer. */
export interface ItemResult {
  readonly success: boolean;
  readonly data?: string;
  readonly slug?: string;
  readonly repaired?: string;
  readonly error?: string;
}

interface BulkAnswer {
  readonly results: readonly ItemResult[];
  readonly meta: { readonly remaining: number };
}

/** How a call ended. `refused`: the whole call failed because of one item, and nothing was made or charged. */
export type Sent =
  | {
      readonly kind: 'made';
      readonly results: readonly ItemResult[];
      /** The grade of each item in order; `null` for one without a picture. */
      readonly grades: readonly (number | null)[];
      /** Why items are below grade 4, by their index; as `Tessera-Warnings` has them. */
      readonly warnings: ReadonlyMap<number, string>;
      readonly remaining: number;
    }
  | { readonly kind: 'refused'; readonly index: number; readonly error: string };

/** Sends calls, with retries. */
export interface Sender {
  /**
   * Sends a bulk request until the gateway has answered it, and waits as long as the gateway asks.
   *
   * @throws {CliFault} when a retry would not help, or when nothing has succeeded for five minutes.
   */
  send(body: string, idempotencyKey: string): Promise<Sent>;
  /** Whether any call may have been made; not when the gateway refused all, or could never be reached. */
  mayHaveMade(): boolean;
}

/** A call of a hundred costly pictures takes some 20 s on one thread, and may wait for its turn. */
const TIMEOUT_MS = 120_000;
const BACKOFF_MIN_MS = 250;
const BACKOFF_MAX_MS = 15_000;
/** An internal error of the gateway is worth a few attempts, not more. */
const MAX_INTERNAL_ERRORS = 5;

/** `items.3.width: must be >= 50`: how specification 7.1 words a fault in one item. */
const ITEM_FAULT = /^items\.(\d+)(?:\.([^:]+))?: (.*)$/s;

/** Reads `Tessera-Grades`, a list of numbers and of `none` for items without a picture. */
const gradesOf = (headers: Headers): readonly (number | null)[] =>
  (headers.get('tessera-grades') ?? '').split(', ').map((item) => (/^\d$/.test(item) ? Number(item) : null));

const toSent = (url: string, answer: Answer): Sent | null => {
  if (answer.status === 200) {
    const { results, meta } = (answer.body ?? {}) as Partial<BulkAnswer>;
    if (results === undefined || meta === undefined) throw failed(explain(url, answer));
    const { headers } = answer;
    const warnings = readItemWarnings(headers.get('tessera-item-warnings') ?? '');
    return { kind: 'made', results, grades: gradesOf(headers), warnings, remaining: meta.remaining };
  }
  const [, index, field, message] = ITEM_FAULT.exec(errorOf(answer)?.details ?? '') ?? [];
  if (answer.status !== 400 || index === undefined) return null;
  return {
    kind: 'refused',
    index: Number(index),
    error: withOptionNames(field === undefined ? message! : `${field}: ${message}`),
  };
};

/** Whether the same request may succeed soon. The month's quota does not come back soon. */
const isPassing = (answer: Answer): boolean =>
  answer.status === 409 ||
  answer.status >= 500 ||
  (answer.status === 429 && errorOf(answer)?.error !== 'Quota exhausted');

/** Codes of faults before anything was sent. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const mayBeMade = (answer: Answer | Error): boolean => {
  if (answer instanceof Error) return !UNSENT.includes(reasonOfSilence(answer) ?? '');
  return answer.status < 300 || answer.status === 409 || answer.status >= 500;
};

/** Whether a failure concerns all calls. A 409 or 500 concerns one; others concern the gateway as a whole. */
const concernsAll = (status: number): boolean => status !== 409 && status !== 500;

/**
 * Makes the sender of a run.
 *
 * @param asked What is asked of all codes.
 * @param signal Aborted when the run is to end: calls that wait then reject.
 * @param err Where the user is told that the gateway cannot be reached.
 */
export const createSender = (api: Api, asked: Asked, signal: AbortSignal, err: Output): Sender => {
  const pace = createPace(signal);
  const outage = createOutage(api.url, err);
  let mayHaveMade = false;

  const backOff = async (tries: number, answer: Answer | null): Promise<void> => {
    const grownMs = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** tries);
    // Jitter, so that calls that failed together do not retry together.
    const waitMs = Math.max(
      answer === null ? 0 : (retryAfterMs(answer.headers) ?? 0),
      grownMs * Math.random(),
    );
    if (answer === null || concernsAll(answer.status)) pace.hold(waitMs);
    else await sleep(waitMs, undefined, { signal });
  };

  const post = (body: string, idempotencyKey: string): Promise<Answer | Error> =>
    api
      .send({
        method: 'POST',
        path: '/api/v1/qr/bulk',
        body,
        headers: { 'idempotency-key': idempotencyKey, ...askedHeaders(asked) },
        timeoutMs: TIMEOUT_MS,
      })
      .catch((error: Error) => error);

  return {
    mayHaveMade: () => mayHaveMade,

    async send(body, idempotencyKey) {
      let internalErrors = 0;
      for (let tries = 0; ; tries += 1) {
        await pace.turn();
        const answer = await post(body, idempotencyKey);
        mayHaveMade ||= mayBeMade(answer);
        if (answer instanceof Error) {
          outage.fail(explainSilence(api.url, answer), answer);
          await backOff(tries, null);
          continue;
        }
        pace.note(answer.headers);
        const sent = toSent(api.url, answer);
        if (sent !== null) {
          outage.end();
          return sent;
        }
        const problem = printable(explain(api.url, answer));
        if (answer.status === 500) internalErrors += 1;
        if (!isPassing(answer) || internalErrors === MAX_INTERNAL_ERRORS) throw failed(problem);
        outage.fail(problem, null);
        await backOff(tries, answer);
      }
    },
  };
};
