/** Sends bulk calls, with retries. */
import {
  type Answer,
  type Api,
  type Ask,
  errorOf,
  explain,
  reasonOfSilence,
  withOptionNames,
} from '../api.ts';
import { commandError } from '../fault.ts';
import { createPatient } from '../patient.ts';
import type { Output } from '../terminal.ts';

/** What a run asks of the design and the grade of all its codes. */
export interface Asked {
  /** Pictures of a lower grade are not made; 0: all are. */
  readonly minGrade: number;
  /** Designs below the minimum grade are repaired. */
  readonly repair: boolean;
  /** Id or name of a preset of the account; `null`: none. */
  readonly preset: string | null;
}

/** Returns the request headers that ask for it. A name is sent in UTF-8, which `fetch` takes as Latin-1. */
export const toAskedHeaders = ({ minGrade, repair, preset }: Asked): Readonly<Record<string, string>> => ({
  // A repair without a minimum grade gives grade 4.
  ...(repair && minGrade === 0 ? {} : { 'tessera-min-grade': String(minGrade) }),
  ...(repair ? { 'tessera-repair': 'true' } : {}),
  ...(preset === null ? {} : { 'tessera-preset': Buffer.from(preset).toString('latin1') }),
});

/** What became of an item. */
export interface ItemResult {
  /** A PNG as a data URL. */
  readonly data?: string;
  readonly slug?: string;
  readonly repaired?: string;
  readonly error?: string;
  /** `null`: the gateway does not say. */
  readonly grade: number | null;
  /** Why it is below 4, as `Tessera-Warnings` has them; '' without any. */
  readonly warnings: string;
}

interface BulkAnswer {
  readonly results: readonly Omit<ItemResult, 'grade' | 'warnings'>[];
  readonly meta: { readonly remaining: number };
}

/** How a call ended. `refused`: the whole call failed because of one item, and nothing was made or charged. */
export type Sent =
  | { readonly kind: 'made'; readonly results: readonly ItemResult[]; readonly remaining: number }
  | { readonly kind: 'refused'; readonly index: number; readonly error: string };

/** Sends calls. */
export type Sender = ReturnType<typeof createSender>;

/** A call of a hundred costly pictures takes some 20 s on one thread, and may wait for its turn. */
const TIMEOUT_MS = 120_000;

/** `items.3.width: must be at least 50`: how specification 7.1 words a fault in one item. */
const ITEM_FAULT = /^items\.(\d+)(?:\.([^:]+))?: (.*)$/s;

const GROUP = /\(([^)]*)\);items="([\d -]*)"/g;

/**
 * Reads `Tessera-Item-Warnings`. Returns the warnings of each item that has some, in the form of `Tessera-Warnings`.
 */
export const readItemWarnings = (header: string): ReadonlyMap<number, string> => {
  const warnings = new Map<number, string>();
  for (const [, words, items] of header.matchAll(GROUP)) {
    for (const range of items!.split(' ')) {
      const [from, to = from] = range.split('-').map(Number);
      // A call has a hundred items at most.
      for (let i = from!; i <= Math.min(to!, 99); i += 1) warnings.set(i, words!.replaceAll(' ', ', '));
    }
  }
  return warnings;
};

const toRefused = (answer: Answer): Sent | null => {
  const [, index, field, message] = ITEM_FAULT.exec(errorOf(answer)?.details ?? '') ?? [];
  if (answer.status !== 400 || index === undefined) return null;
  const error = withOptionNames(field === undefined ? message! : `${field}: ${message}`);
  return { kind: 'refused', index: Number(index), error };
};

const toMade = (url: string, answer: Answer): Sent => {
  const { results, meta } = (answer.body ?? {}) as Partial<BulkAnswer>;
  if (results === undefined || meta === undefined) throw commandError(explain(url, answer));
  const grades = (answer.headers.get('tessera-grades') ?? '').split(', ');
  const warnings = readItemWarnings(answer.headers.get('tessera-item-warnings') ?? '');
  const graded = results.map((item, at) => ({
    ...item,
    grade: /^\d$/.test(grades[at] ?? '') ? Number(grades[at]) : null,
    warnings: warnings.get(at) ?? '',
  }));
  return { kind: 'made', results: graded, remaining: meta.remaining };
};

/** Codes of faults before anything was sent. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

const mayBeMade = (answer: Answer | Error): boolean => {
  if (answer instanceof Error) return !UNSENT.includes(reasonOfSilence(answer) ?? '');
  return answer.status < 300 || answer.status === 409 || answer.status >= 500;
};

/**
 * Makes the sender of a run.
 *
 * @param asked What is required of all codes.
 * @param signal Aborted to end the run: waiting calls then reject.
 * @param err Receives the message that the gateway cannot be reached.
 */
export const createSender = (api: Api, asked: Asked, signal: AbortSignal, err: Output) => {
  let mayHaveMade = false;
  const send = async (ask: Ask): Promise<Answer> => {
    const answer = await api.send(ask).catch((error: Error) => error);
    mayHaveMade ||= mayBeMade(answer);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  // Calls that are under way may be paid for, so they are not cut off.
  const patient = createPatient({ ...api, send }, signal, err, { cutsCalls: false });
  return {
    /** Whether any call may have been made; not when the gateway refused all, or could never be reached. */
    mayHaveMade: (): boolean => mayHaveMade,

    /**
     * Sends a bulk request until the gateway has answered it, and waits as long as the gateway asks.
     *
     * @throws {CliFault} when a retry would not help, or when nothing has succeeded for five minutes.
     */
    async send(body: string, idempotencyKey: string): Promise<Sent> {
      const headers = { 'idempotency-key': idempotencyKey, ...toAskedHeaders(asked) };
      const ask = { method: 'POST', path: '/api/v1/qr/bulk', body, headers, timeoutMs: TIMEOUT_MS } as const;
      const answer = await patient.ask(ask, (one) => one.status === 200 || toRefused(one) !== null);
      return toRefused(answer) ?? toMade(api.url, answer);
    },
  };
};
