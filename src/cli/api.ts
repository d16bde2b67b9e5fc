/** Calls the HTTP API of a gateway with the client of `clients/typescript`, and words its failures for people. */
import { type Call, perform, type Settings } from '../../clients/typescript/src/call.ts';
import { codeOf, TesseraError } from '../../clients/typescript/src/error.ts';
import type { AnyInput, Operation } from '../../clients/typescript/src/request.ts';
import { errorTable } from '../errors.ts';
import { parseUrl } from '../texts.ts';
import { CLEAR_LINE, type CliFault, commandError, type Output, toPrintable, usageError } from './terminal.ts';

/** A call of the API: its method and its path, such as `GET /api/v1/codes/{id}`. */
export type ApiCall = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** What a call takes. The body is sent as JSON, unless `contentType` says that it is something else. */
export interface Ask extends AnyInput {
  /** Default: 30 seconds. */
  readonly timeoutMs?: number;
}

/** A gateway and the token with which it is called. */
export type Api = ReturnType<typeof createApi>;

const TIMEOUT_MS = 30_000;
/** A gateway may be restarted within this time. */
const GIVE_UP_MS = 300_000;
const IMPATIENT = { retries: 0, maxPauseMs: 0, giveUpMs: 0 };

/** The codes of the service, by the texts that it answers with. */
const CODES = Object.fromEntries(errorTable().map(({ error, code }) => [error, code]));

/** What to do about a failure where the gateway cannot know it. */
const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: 'the gateway does not know this key; give --key or TESSERA_KEY',
  admin_unauthorized: 'the admin token is wrong; give --token, ADMIN_TOKEN or ADMIN_TOKEN_FILE',
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

/** Replaces the names of request headers and parameters by the command's options that set them. */
export const withOptionNames = (text: string): string =>
  text
    .replace(/\bTessera-(Min-Grade|Repair|Preset|Domain)\b/g, (_, name: string) => `--${name.toLowerCase()}`)
    .replace(
      /\b(other_columns|dropped|domain|duplicates_in)=(?=\S)/g,
      (_, name: string) => `--${name.replace('_', '-')} `,
    );

/** Returns why `fetch` gave no answer, in a few words. */
const reasonOf = ({ code, cause }: TesseraError): string => {
  const { cause: inner } = (cause ?? {}) as { cause?: { code?: string; message?: string } };
  return code === 'timeout' ? 'no answer in time' : (inner?.code ?? inner?.message ?? String(cause));
};

/** Returns a failed call as a fault, with a printable message that says what to do. */
export const explain = (url: string, failure: TesseraError): CliFault => {
  const { code, status, message } = failure;
  if (code === 'unreachable' || code === 'timeout')
    return commandError(`${url} cannot be reached (${reasonOf(failure)}); start the gateway or check --url`);
  if (code === 'unknown')
    return commandError(`${url} does not answer as a Tessera gateway does (HTTP ${status}); check --url`);
  return commandError(toPrintable(ADVICE[code] ?? withOptionNames(message)));
};

/** Returns a call that failed as a fault, and anything else as it is. */
export const explained = (url: string, error: unknown): unknown =>
  error instanceof TesseraError ? explain(url, error) : error;

/**
 * Creates the client of one gateway, which retries nothing.
 *
 * @param url Without a trailing slash.
 * @param token Sent as the bearer token with every call; `null`: none.
 */
export const createApi = (url: string, token: string | null) => {
  const settings: Settings = {
    url,
    codes: CODES,
    timeoutMs: TIMEOUT_MS,
    ...IMPATIENT,
    ...(token === null ? {} : { key: token }),
    fetch: (...sent) => fetch(...sent),
  };

  const ask = async (
    call: ApiCall,
    { timeoutMs = TIMEOUT_MS, ...input }: Ask,
    answer: { readonly answer?: 'file' },
  ) => {
    for (const [name, value] of Object.entries(input.path ?? {}))
      if (value === '') throw usageError(`the ${name} must not be empty`);
    const [method = '', path = ''] = call.split(' ');
    const sends = input.contentType ?? 'application/json';
    const operation: Operation = { method, path, auth: 'key', sends, ...answer };
    const done = await perform(operation, input, { timeoutMs }, settings).catch((error: unknown) => {
      throw explained(url, error);
    });
    // A redirect is not followed: the token must not go to another address.
    const { status } = done.response;
    if (status >= 300) throw explain(url, new TesseraError('unknown', { status }));
    return done;
  };

  return {
    url,
    /** Returns the JSON of a 2xx, `undefined` for a 204. @throws {CliFault} for any other answer. */
    call: async <T>(call: ApiCall, input: Ask = {}): Promise<T> => (await ask(call, input, {})).data as T,
    /** Returns a 2xx whose body is a file. @throws {CliFault} for any other answer. */
    open: async (call: ApiCall, input: Ask = {}): Promise<Response> =>
      (await ask(call, input, { answer: 'file' })).response,
  };
};

/**
 * Creates calls that wait while a gateway is restarted, or throttles the caller: for five minutes each.
 *
 * @param signal Ends calls and waits.
 * @param err Receives the message that the gateway cannot be reached: once per outage.
 */
export const createPatientCall = (url: string, token: string, signal: AbortSignal, err: Output): Call => {
  let isTold = false;
  const settings: Settings = {
    url,
    key: token,
    codes: CODES,
    timeoutMs: TIMEOUT_MS,
    retries: Number.POSITIVE_INFINITY,
    maxPauseMs: GIVE_UP_MS,
    giveUpMs: GIVE_UP_MS,
    fetch: (...sent) => fetch(...sent),
    onRetry(failure) {
      if (codeOf(failure) !== 'unreachable' || isTold) return;
      isTold = true;
      const line = `${url} cannot be reached (${reasonOf(failure)}); trying again for up to ${GIVE_UP_MS / 60_000} minutes\n`;
      err.write(err.isTTY ? `\r${CLEAR_LINE}${line}` : line);
    },
  };
  return async (operation, input = {}, options = {}) => {
    const answer = await perform(operation, input, { signal, ...options }, settings);
    isTold = false;
    return answer;
  };
};
