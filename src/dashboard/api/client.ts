/** Calls of the gateway, typed by its OpenAPI document. The browser sends the session’s cookie by itself. */
import createClient from 'openapi-fetch';
import { say } from '../words/say.ts';
import { noteLine, watchLine } from './line.ts';
import { send, signInAgain, Taken } from './send.ts';
import type { paths } from './types.ts';

/** The path under which the gateway answers, with a slash at its end. It follows from the address of this script. */
export const BASE = new URL('../../', import.meta.url).pathname;

/** Returns the path of a screen; `path` is empty or begins with a slash. */
export const toScreenPath = (path = ''): string => `${BASE}dashboard${path}`;

/** The client. Pass each call to `ask`, which turns refusals into faults. */
export const api = createClient<paths>({
  baseUrl: `${location.origin}${BASE.replace(/\/$/, '')}`,
  fetch: send,
});

watchLine(async () => (await fetch(`${BASE}dashboard/session`)).blob());

/** A text in one encoding. */
interface Reading {
  readonly encoding: string;
  readonly text: string;
}

/** Why a call failed, in words for people. Status 0 means that no answer came. */
export class Fault extends Error {
  readonly status: number;
  /** The fixed text of the kind of fault, for example `Quota exhausted`. */
  readonly error: string;
  /** What the gateway says is wrong, for example `width: must be at least 50`; may be empty. */
  readonly details: string;
  /** Seconds after which the call may succeed; `null` when the gateway does not say. */
  readonly retryAfterS: number | null;
  /** All that is wrong, when the details name only the first of it. */
  readonly faults: readonly string[];
  /** How a row reads in the likeliest encodings, when that of a file is not clear. */
  readonly readings: readonly Reading[];

  constructor(
    status: number,
    error: string,
    details: string,
    retryAfterS: number | null = null,
    faults: readonly string[] = [],
    readings: readonly Reading[] = [],
  ) {
    super(details === '' ? error : `${error}: ${details}`);
    this.status = status;
    this.error = error;
    this.details = details;
    this.retryAfterS = retryAfterS;
    this.faults = faults;
    this.readings = readings;
  }
}

const toFault = (response: Response, body: unknown): Fault => {
  const {
    error,
    details,
    faults = [],
    readings = [],
  } = (body ?? {}) as {
    error?: unknown;
    details?: unknown;
    faults?: readonly { readonly field: string; readonly message: string }[];
    readings?: readonly Reading[];
  };
  const seconds = Number(response.headers.get('retry-after'));
  return new Fault(
    response.status,
    typeof error === 'string'
      ? error
      : say('The service answered with {status}', { status: response.status }),
    typeof details === 'string' ? details : '',
    Number.isFinite(seconds) && seconds > 0 ? seconds : null,
    faults.map(({ field, message }) => `${field}: ${message}`),
    readings,
  );
};

/** Returns what a fault says of a field or of something in it; `null`: nothing. */
export const messageAt = (fault: Fault | null, field: string): string | null => {
  if (fault === null) return null;
  const all = fault.faults.length > 0 ? fault.faults : [fault.details];
  const found = all.find((text) => text.startsWith(`${field}: `) || text.startsWith(`${field}.`));
  return found === undefined ? null : found.slice(found.indexOf(': ') + 2);
};

/** The precondition of a change: the call is refused when somebody else has changed the thing meanwhile. */
export const ifMatch = ({ etag }: { readonly etag: string }) => ({ 'if-match': etag });

/** Returns any thrown value as a fault with words for people. */
export const asFault = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault(0, say('Something went wrong on this page'), String(error));

/** Says that no answer came. */
export const toUnreachable = (): Fault => {
  noteLine(true);
  return new Fault(0, say('The service cannot be reached'), '');
};

const readRefusal = async (response: Response): Promise<Fault> =>
  toFault(response, await response.json().catch(() => null));

/** Says why a call was refused that `send` has not sent. */
export const toRefusal = (response: Response): Promise<Fault> => {
  if (response.status === 401) void signInAgain();
  return readRefusal(response);
};

const throwUnanswered = (cause: unknown): never => {
  if (cause instanceof Taken || (cause instanceof DOMException && cause.name === 'AbortError')) throw cause;
  throw toUnreachable();
};

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/**
 * Returns the body of a successful answer to a call of `api`.
 * @throws {Fault} For every other answer, and when none comes. An abort is thrown unchanged.
 */
export const ask = async <T>(call: Answer<T>): Promise<T> => {
  const { data, error, response } = await call.catch(throwUnanswered);
  if (response.ok) return data as T;
  throw toFault(response, error);
};

/** Returns a successful answer to a call whose body is not JSON. @throws {Fault} As `ask` does. */
export const askRaw = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const response = await send(new Request(`${BASE}${path}`, init)).catch(throwUnanswered);
  if (response.ok) return response;
  throw await readRefusal(response);
};

/** Posts JSON, and returns a successful answer whose body is not JSON. @throws {Fault} As `ask` does. */
export const postJson = (
  path: string,
  body: unknown,
  { headers, ...init }: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {},
): Promise<Response> =>
  askRaw(path, {
    ...init,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/**
 * Returns a new value for the header `Idempotency-Key`. Avoids `crypto.randomUUID`, which pages served over plain HTTP
 * do not have.
 */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');

const KEPT_MS = 60_000;

/** Returns the file name in a response of the service, or `null` when it has none. */
export const fileNameOf = (headers: { get(name: string): string | null }): string | null => {
  const disposition = headers.get('content-disposition') ?? '';
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(disposition)?.[1] ?? null;
};

/** Downloads what an address of this service answers, while it comes. @param name '': that in the answer. */
export const saveFrom = (url: string, name: string): void => {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
};

/** Downloads what the page has as a file. */
export const saveBlob = (name: string, blob: Blob): void => {
  const url = URL.createObjectURL(blob);
  saveFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
};
