/** Writes the request of a call. */

/** A call as the document describes it. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** Who may make it; absent: anybody. */
  readonly auth?: 'key' | 'admin';
  /** The media type of its body where only one is possible. */
  readonly sends?: string;
  /** Absent: JSON, or nothing. */
  readonly answer?: 'file';
  /** The kind of answer that it asks for, where the service has several. */
  readonly accept?: string;
  /** The call of the document, where it has another name. */
  readonly of?: string;
  /** Whether it takes an `Idempotency-Key`. */
  readonly once?: true;
  /** Whether it changes nothing, although its method could. */
  readonly safe?: true;
  /** Whether repeating it changes nothing more. */
  readonly repeatable?: true;
  /** Whether its file is read before the call returns. Absent: if it is known to be short, or was paid for. */
  readonly whole?: boolean;
  readonly paged?: true;
}

/** The body of a call that takes no JSON. A function is called for each try, so that a stream can be sent again. */
export type RawBody = RawContent | (() => RawContent);
type RawContent = string | Uint8Array<ArrayBuffer> | Blob | FormData | ReadableStream<Uint8Array>;

/** What a call takes, without its type. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** Who calls, and whom. */
export interface Caller {
  readonly url: string;
  readonly key?: string;
  readonly adminToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What `fetch` takes as a body; `null`: none. */
type SentBody = NonNullable<RequestInit['body']> | null;

/** A request that can be sent several times. */
export interface WrittenRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  /** Whether it is idempotent. */
  readonly isRepeatable: boolean;
  /** Whether its body is a stream, which is read once. */
  readonly isStream: boolean;
  /** Returns the body of the next try. */
  body(): SentBody;
}

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

const urlOf = (base: string, path: string, { path: places = {}, query = {} }: AnyInput): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = places[name];
    if (value === undefined || value === '') throw new TypeError(`path.${name} is missing`);
    return encodeURIComponent(String(value));
  });
  const url = new URL(`${base.replace(/\/+$/, '')}${filled}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.append(name, String(value));
  return url.href;
};

const tokenFor = ({ auth }: Operation, { key, adminToken }: Caller): string | undefined =>
  auth === undefined ? undefined : { key, admin: adminToken }[auth];

const contentTypeOf = ({ sends }: Operation, { body, contentType }: AnyInput): string | undefined =>
  contentType ?? (body === undefined || body instanceof FormData ? undefined : sends);

const headersOf = (operation: Operation, input: AnyInput, caller: Caller): Headers => {
  const headers = new Headers(caller.headers);
  const token = tokenFor(operation, caller);
  const contentType = contentTypeOf(operation, input);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  if (contentType !== undefined) headers.set('content-type', contentType);
  if (operation.accept !== undefined) headers.set('accept', operation.accept);
  for (const [name, value] of Object.entries(input.headers ?? {}))
    if (value !== undefined) headers.set(name, String(value));
  // All tries share one key, so the call takes effect once, however often it is sent.
  if (operation.once && !headers.has('idempotency-key')) headers.set('idempotency-key', crypto.randomUUID());
  return headers;
};

const bodyOf = ({ sends }: Operation, { body }: AnyInput): (() => SentBody) => {
  if (body === undefined) return () => null;
  if (sends === 'application/json') {
    const text = JSON.stringify(body);
    return () => text;
  }
  return () => (typeof body === 'function' ? body() : body) as SentBody;
};

/** Returns the request of a call. @throws {TypeError} A part of the path is missing. */
export const writeRequest = (operation: Operation, input: AnyInput, caller: Caller): WrittenRequest => {
  const { method, safe = false, repeatable = false } = operation;
  const headers = headersOf(operation, input, caller);
  return {
    url: urlOf(caller.url, operation.path, input),
    method,
    headers,
    isRepeatable: headers.has('idempotency-key') || safe || repeatable || IDEMPOTENT.has(method),
    isStream: input.body instanceof ReadableStream,
    body: bodyOf(operation, input),
  };
};

/** Returns options as the header `Design` takes them: JSON in ASCII. */
export const designOf = (options: object): string =>
  JSON.stringify(options).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
