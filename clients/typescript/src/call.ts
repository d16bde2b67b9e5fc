/** Makes calls: tries, time limits and pauses. */
import { TesseraError } from './error.ts';
import { type CodesByText, toError } from './refusal.ts';
import { type AnyInput, type Caller, type Operation, type WrittenRequest, writeRequest } from './request.ts';
import { isUnanswered, type Patience, pause, pauseBefore } from './retries.ts';

/** How a client calls. */
export interface Settings extends Caller, Patience {
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly codes: CodesByText;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Timeout of a try; for a file, until its first byte. */
  readonly timeoutMs?: number;
  /** Retries after the first try. */
  readonly retries?: number;
}

/** An answer without the type of its data. */
export interface AnyAnswer {
  readonly data: unknown;
  readonly response: Response;
}

/** Makes calls with the settings of a client. */
export type Call = (operation: Operation, input?: AnyInput, options?: CallOptions) => Promise<AnyAnswer>;

const TIMED_OUT = Symbol('timed out');
/** A proxy has lost the answer of the service. */
const BROKEN_PROXY: ReadonlySet<number> = new Set([502, 504]);

/** Why Node could not connect. Other platforms do not say. */
const UNCONNECTED: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'],
]);

const wasConnected = (error: unknown): boolean =>
  !UNCONNECTED.has((error as { cause?: { code?: unknown } } | null)?.cause?.code);

const failureOf = (error: unknown, limit: AbortSignal, timeoutMs: number): TesseraError =>
  limit.reason === TIMED_OUT
    ? new TesseraError('timeout', { details: `no answer came within ${timeoutMs} ms`, cause: error })
    : new TesseraError('unreachable', {
        details: 'the connection failed',
        cause: error,
        wasSent: wasConnected(error),
      });

/** Reads JSON. An answer that was cut is none, so it fails as its connection did. @throws {TesseraError} It is no JSON. */
const jsonIn = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '');
  if (text !== '' && !isJson)
    throw new TesseraError('unknown', {
      status: response.status,
      details: 'the answer is not JSON; check the address of the service',
    });
  return text === '' ? undefined : JSON.parse(text);
};

/** A file that is known to be no longer is read before the call returns. */
const READ_MAX_BYTES = 1024 * 1024;

/** Returns a file. One that is short, or that was paid for, is read here, so that a try whose answer was cut is repeated. */
const fileIn = async (response: Response, { once, whole }: Operation): Promise<AnyAnswer> => {
  const { headers, body } = response;
  const bytes = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  const isRead = whole ?? (once === true || bytes <= READ_MAX_BYTES);
  if (body === null || !isRead) return { data: body, response };
  const read = new Response(await response.arrayBuffer(), response);
  return { data: read.body, response: read };
};

/** Reads an answer. A redirect is one too: a short link leads elsewhere. @throws {TesseraError} It is a refusal. */
const readAnswer = async (
  response: Response,
  operation: Operation,
  codes: CodesByText,
): Promise<AnyAnswer> => {
  if (response.status >= 400) throw await toError(response, codes);
  if (operation.answer === 'file') return fileIn(response, operation);
  return { data: await jsonIn(response), response };
};

/** @throws {TesseraError} @throws The reason of the caller's signal. */
const tryOnce = async (
  operation: Operation,
  request: WrittenRequest,
  { fetch, timeoutMs, codes }: Settings,
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
    return await readAnswer(response, operation, codes);
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof TesseraError ? error : failureOf(error, limit.signal, timeoutMs);
  } finally {
    clearTimeout(timer);
  }
};

/** Returns a failure with what is known about all tries. */
const withTries = (failure: TesseraError, wasSent: boolean, { headers }: WrittenRequest): TesseraError =>
  new TesseraError(failure.code, {
    ...failure,
    ...{ wasSent, idempotencyKey: headers.get('idempotency-key'), cause: failure.cause },
  });

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
  const startedMs = performance.now();
  let mayBeDone = false;
  let wasSent = false;
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(operation, request, settings, signal).catch((error: unknown) => {
      if (error instanceof TesseraError) return error;
      throw error;
    });
    if (!(outcome instanceof TesseraError)) return outcome;
    // Already gone: an earlier try deleted it, and its answer was lost.
    if (method === 'DELETE' && mayBeDone && outcome.status === 404)
      return { data: undefined, response: new Response(null, { status: 204 }) };
    wasSent ||= outcome.wasSent;
    mayBeDone ||= outcome.wasSent && (isUnanswered(outcome) || BROKEN_PROXY.has(outcome.status));
    const spentMs = performance.now() - startedMs;
    const pauseMs = isStream
      ? null
      : pauseBefore(outcome, { tries, spentMs, isRepeatable, random: Math.random() }, settings);
    if (pauseMs === null) throw withTries(outcome, wasSent, request);
    settings.onRetry?.(outcome, pauseMs);
    await pause(pauseMs, signal);
  }
};
