/** Calls the HTTP API of a gateway for the command line. */
import { parseUrl } from '../texts.ts';
import { type CliFault, commandError, usageError } from './fault.ts';
import { toPrintable } from './terminal.ts';

/** An HTTP answer of any status. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body; `undefined` when it is not JSON. */
  readonly body: unknown;
}

/** A call of the API. */
export interface Ask {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Sent as JSON: a value, or text that is JSON already. Bytes are sent as they are. */
  readonly body?: object | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** Aborts the call, instead of `timeoutMs`. */
  readonly signal?: AbortSignal;
}

/** A gateway and the token with which it is called. */
export type Api = ReturnType<typeof createApi>;

const TIMEOUT_MS = 30_000;

/** What to do about a 401, by the error of the gateway. */
const DENIED: Readonly<Record<string, string>> = {
  'Missing or invalid API key': 'the gateway does not know this key; give --key or TESSERA_KEY',
  'Missing or invalid admin token': 'the admin token is wrong; give --token, ADMIN_TOKEN or ADMIN_TOKEN_FILE',
};

/** Removes trailing slashes. @throws {CliFault} unless paths can be added to the text, an http or https address. */
export const toBaseUrl = (text: string): string => {
  if (!/^https?:$/.test(parseUrl(text)?.protocol ?? '') || /[?#]/.test(text)) {
    throw usageError(
      `${toPrintable(text)} is not an http or https address without query and fragment; for example --url http://127.0.0.1:3000`,
    );
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

/** Reads the body of a response. */
export const readAnswer = async (response: Response): Promise<Answer> => {
  const { status, headers } = response;
  return { status, headers, body: parse(await response.text()) };
};

/** Returns the error of the gateway; `null` when the body is not one. */
export const errorOf = ({ body }: Answer): { readonly error: string; readonly details: string } | null => {
  const { error, details } = (body ?? {}) as { error?: unknown; details?: unknown };
  return typeof error === 'string' && typeof details === 'string' ? { error, details } : null;
};

/** Replaces the names of request headers by the command's options that set them. */
export const withOptionNames = (text: string): string =>
  text.replace(/\bTessera-(Min-Grade|Repair|Preset)\b/g, (_, name: string) => `--${name.toLowerCase()}`);

/** Returns a printable message for a person when the answer is not the expected one. */
export const explain = (url: string, answer: Answer): string => {
  const known = errorOf(answer);
  if (known === null)
    return `${url} does not answer as a Tessera gateway does (HTTP ${answer.status}); check --url`;
  return toPrintable(DENIED[known.error] ?? withOptionNames(`${known.error}: ${known.details}`));
};

/** Returns why `fetch` gave no answer, in a few words; `null` for an error that is not its own. */
export const reasonOfSilence = (error: unknown): string | null => {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  return name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? cause?.message ?? null);
};

/** Returns the message for a person when `fetch` gave no answer. */
export const explainSilence = (url: string, error: unknown): string =>
  `${url} cannot be reached (${reasonOfSilence(error) ?? error}); start the gateway or check --url`;

/**
 * Makes the client of one gateway. It follows no redirects.
 *
 * @param url Without a trailing slash.
 * @param token Sent as the bearer token with every call.
 */
export const createApi = (url: string, token: string) => {
  /** Returns the answer, whatever its status, before its body is read. @throws What `fetch` throws when there is none. */
  const open = ({ method, path, body, headers, timeoutMs = TIMEOUT_MS, signal }: Ask): Promise<Response> => {
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      // The token must not go to another address.
      redirect: 'manual',
      signal: signal ?? AbortSignal.timeout(timeoutMs),
    });
  };

  /** Returns the answer, whatever its status. @throws What `fetch` throws when there is none. */
  const send = async (ask: Ask): Promise<Answer> => readAnswer(await open(ask));

  return {
    url,
    send,
    open,
    /**
     * Returns the body of a 2xx, `null` for a 204.
     *
     * @throws {CliFault} for any other answer: the one in `faults` for its status, else one with the gateway's error.
     */
    async call<T>(ask: Ask, faults: Readonly<Record<number, CliFault>> = {}): Promise<T> {
      const answer = await send(ask).catch((error: unknown) => {
        throw commandError(explainSilence(url, error));
      });
      if (answer.status === 204) return null as T;
      const fault = faults[answer.status];
      if (fault !== undefined) throw fault;
      if (answer.status >= 300 || typeof answer.body !== 'object') throw commandError(explain(url, answer));
      return answer.body as T;
    },
  };
};
