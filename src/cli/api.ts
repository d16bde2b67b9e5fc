/** The gateway's HTTP interface as the command line uses it. */
import { failed, misused } from './fault.ts';
import { printable } from './terminal.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** What the body held as JSON; `undefined` when it was none. */
  readonly body: unknown;
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON: a value, or a text that is JSON already. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface Api {
  readonly url: string;
  /** Any answer, whatever its status. @throws What `fetch` throws when there is none. */
  send(ask: Ask): Promise<Answer>;
  /** The body of a successful answer. @throws {CliFault} for any other, with what the gateway says. */
  call<T>(ask: Ask): Promise<T>;
}

const TIMEOUT_MS = 30_000;

/** @throws {CliFault} when it is no http(s) address. */
export const toBaseUrl = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw misused(`${printable(text)} is no http or https address; for example --url http://127.0.0.1:3000`);
  }
  return text.replace(/\/+$/, '');
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The gateway's own words for a failure; `null` when the answer is not one of its errors. */
export const errorOf = ({ body }: Answer): { readonly error: string; readonly details: string } | null => {
  const { error, details } = (body ?? {}) as { error?: unknown; details?: unknown };
  return typeof error === 'string' && typeof details === 'string' ? { error, details } : null;
};

/** What to say about an answer that is not what was asked for. */
export const explain = (url: string, answer: Answer): string => {
  const known = errorOf(answer);
  if (known !== null) return printable(`${known.error}: ${known.details}`);
  return `${url} does not answer as a Tessera gateway does (HTTP ${answer.status}); check --url`;
};

/** What to say when there was no answer. */
export const explainSilence = (url: string, error: unknown): string => {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  const reason = name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? String(error));
  return `${url} cannot be reached (${reason}); start the gateway or check --url`;
};

/** @param token Sent as the bearer token with every call. */
export const createApi = (url: string, token: string): Api => {
  const send = async ({ method, path, body, headers, timeoutMs = TIMEOUT_MS }: Ask): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      // The token is for this address alone.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  };

  return {
    url,
    send,
    async call<T>(ask: Ask): Promise<T> {
      const answer = await send(ask).catch((error: unknown) => {
        throw failed(explainSilence(url, error));
      });
      if (answer.status === 204) return null as T;
      if (answer.status >= 300 || typeof answer.body !== 'object') throw failed(explain(url, answer));
      return answer.body as T;
    },
  };
};
