import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** An answer to a call. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What a call sends besides its method and path. */
export interface Sent {
  /** A text, bytes or a stream as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The headers of rows. */
export const NDJSON = { 'content-type': 'application/x-ndjson' };

/** The method of a call. */
export type Method = 'DELETE' | 'GET' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT';

/** Makes calls to a gateway. */
export interface Caller {
  /** Reads and forgets the body of the answer. */
  send(method: Method, path: string, sent?: Sent): Promise<Answer>;
  /** Reads a JSON body. `T` is the body of a success. */
  ask<T>(method: Method, path: string, sent?: Sent): Promise<Answer & { readonly body: T }>;
  /**
   * Asks until free work, or a place, is there for the call. @throws When it is refused for another reason.
   */
  make<T = { readonly id: string }>(
    method: Method,
    path: string,
    sent?: Sent,
  ): Promise<Answer & { readonly body: T }>;
  /** Ends all calls that run. */
  end(): Promise<void>;
}

/** How a caller makes its calls. */
export interface CallerOptions {
  readonly url: string;
  readonly key: string | null;
  /** Calls without a key are bounded by the address that they come from. */
  readonly localAddress?: string;
  /** The most bytes that a path and a body have together; a longer call throws. */
  readonly sentMaxBytes?: number;
  /** Called when an answer begins. */
  readonly onAnswer?: (status: number) => void;
}

/** Creates a caller with connections of its own. */
export const createCaller = (options: CallerOptions): Caller => {
  const { url, key, localAddress, sentMaxBytes = Number.POSITIVE_INFINITY, onAnswer } = options;
  const dispatcher = new Agent({
    ...{ connections: 16, headersTimeout: 0, bodyTimeout: 0 },
    ...(localAddress !== undefined && { localAddress }),
  });
  const open = async (method: Method, path: string, { body, headers = {} }: Sent = {}) => {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable;
    const content = isRaw || body === undefined ? body : JSON.stringify(body);
    const sentBytes = path.length + (typeof content === 'string' ? Buffer.byteLength(content) : 0);
    if (sentBytes > sentMaxBytes)
      throw new Error(`${method} ${path.slice(0, 60)} sends ${sentBytes} bytes, more than ${sentMaxBytes}`);
    const answer = await request(url + path, {
      ...{ method, dispatcher, ...(content !== undefined && { body: content }) },
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    onAnswer?.(answer.statusCode);
    return answer;
  };
  const ask = async <T>(method: Method, path: string, sent?: Sent) => {
    const { statusCode, headers, body } = await open(method, path, sent);
    const text = await body.text();
    return { status: statusCode, headers, body: (text === '' ? null : JSON.parse(text)) as T };
  };
  return {
    async send(method, path, sent) {
      const { statusCode, headers, body } = await open(method, path, sent);
      for await (const _ of body);
      return { status: statusCode, headers };
    },
    ask,
    async make<T>(method: Method, path: string, sent?: Sent) {
      for (;;) {
        const answer = await ask<T>(method, path, sent);
        if (answer.status < 400) return answer;
        if (answer.status !== 429 && answer.status !== 503)
          throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        await sleep(1000 * Number(answer.headers['retry-after'] ?? 1));
      }
    },
    end: () => dispatcher.destroy(),
  };
};
