/** Makes calls: tries, time limits and pauses. */
import { TesseraError } from './error.ts';
import { toError } from './refusal.ts';
import { type AnyInput, type Caller, type Operation, type WrittenRequest, writeRequest } from './request.ts';
import { isUnanswered, type Patience, pause, pauseBefore } from './retries.ts';
import type { CallOptions } from './types.ts';

/** How a client calls. */
export interface Settings extends Caller, Patience {
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
}

/** An answer without the type of its data. */
export interface AnyAnswer {
  readonly data: unknown;
  readonly response: Response;
}

const TIMED_OUT = Symbol('timed out');
/** A proxy has lost the answer of the service. */
const BROKEN_PROXY: ReadonlySet<number> = new Set([502, 504]);

const failureOf = (error: unknown, limit: AbortSignal, timeoutMs: number): TesseraError =>
  limit.reason === TIMED_OUT
    ? new TesseraError('timeout', { details: `no answer came within ${timeoutMs} ms`, cause: error })
    : new TesseraError('unreachable', { details: 'the connection failed', cause: error });

const jsonIn = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
};

/** Reads an answer. A redirect is one too: a short link leads elsewhere. @throws {TesseraError} It is a refusal. */
const readAnswer = async (response: Response, { answer }: Operation): Promise<AnyAnswer> => {
  if (response.status >= 400) throw await toError(response);
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
  if (answer === 'file' || (answer === 'either' && !isJson)) return { data: response.body, response };
  return { data: await jsonIn(response), response };
};

/** @throws {TesseraError} @throws The reason of the caller's signal. */
const tryOnce = async (
  operation: Operation,
  request: WrittenRequest,
  { fetch, timeoutMs }: Settings,
  signal: AbortSignal | undefined,
): Promise<AnyAnswer> => {
  signal?.throwIfAborted();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(TIMED_OUT), timeoutMs);
  const { url, method, headers } = request;
  const body = request.body();
  try {
    const response = await fetch(url, {
      ...{ method, headers, body, redirect: 'manual' as const },
      signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
      // `fetch` refuses a stream without it.
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    });
    return await readAnswer(response, operation);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof TesseraError ? error : failureOf(error, limit.signal, timeoutMs);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Makes a call, and retries after transient failures.
 *
 * @throws {TesseraError} It is refused, or not answered.
 * @throws The reason of the signal of `options`.
 */
export const perform = async (
  operation: Operation,
  input: AnyInput,
  { signal, ...options }: CallOptions,
  given: Settings,
): Promise<AnyAnswer> => {
  const settings = { ...given, ...options };
  const request = writeRequest(operation, input, settings);
  const { isRepeatable, isStream, method } = request;
  let mayBeDone = false;
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(operation, request, settings, signal).catch((error: unknown) => {
      if (error instanceof TesseraError) return error;
      throw error;
    });
    if (!(outcome instanceof TesseraError)) return outcome;
    // Already gone: an earlier try deleted it, and its answer was lost.
    if (method === 'DELETE' && mayBeDone && outcome.status === 404)
      return { data: undefined, response: new Response(null, { status: 204 }) };
    mayBeDone ||= isUnanswered(outcome) || BROKEN_PROXY.has(outcome.status);
    const pauseMs = isStream
      ? null
      : pauseBefore(outcome, { tries, isRepeatable, random: Math.random() }, settings);
    if (pauseMs === null) throw outcome;
    await pause(pauseMs, signal);
  }
};
