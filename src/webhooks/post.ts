/** Which addresses a webhook may have, and one request to an address that a customer has named. */
import { isIP } from 'node:net';
import { fetch, type Response } from 'undici';
import {
  createGuardedAgent,
  isLocalName,
  isPublicAddress,
  type NetworkOptions,
  PrivateAddress,
} from '../logo/agent.ts';
import { causeOf, urlFault } from '../logo/fetch.ts';
import { ok, type Result, refused } from '../result.ts';
import { parseUrl } from '../texts.ts';
import { traceHeaders } from '../tracing/trace.ts';

const LENGTH_MAX = 2000;
/** '' is the port of https itself. */
const PUBLIC_PORTS: readonly string[] = ['', '8443'];

/**
 * Checks the URL of a webhook as the caller wrote it, and returns it as the URL standard writes it. Names are looked up
 * when something is sent. The fault continues a sentence that begins with the name of the field.
 *
 * @param allowPrivateNetworks Allows plain http, every port and addresses that are not public.
 */
export const checkWebhookUrl = (written: string, allowPrivateNetworks: boolean): Result<string, string> => {
  if (written.length > LENGTH_MAX) return refused(`must have at most ${LENGTH_MAX} characters`);
  const url = parseUrl(written);
  if (url === null) return refused('must be an absolute https URL');
  // It is never sent. An empty one is in `href` alone.
  if (url.href.includes('#')) return refused('must have no fragment (#…), which is not sent: leave it out');
  if (allowPrivateNetworks) return urlFault(url) === null ? ok(url.href) : refused(ANY_RULE);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return refused(PUBLIC_RULE);
  if (!PUBLIC_PORTS.includes(url.port)) return refused('must use port 443 or 8443');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isInside = isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  return isInside ? refused('must lead to a public address') : ok(url.href);
};

const PUBLIC_RULE = 'must be an absolute https URL without user name and password';
const ANY_RULE = 'must be an absolute http or https URL without user name and password';

/** What came of a request. Without an answer `status` is `null` and `error` says why, for the customer to read. */
export type Posted =
  | { readonly status: number; readonly answer: Answer; readonly error: null }
  | { readonly status: null; readonly answer: null; readonly error: string };

/** What a receiver answered. It may be anything: it is shown as text only. */
export interface Answer {
  /** Those of `HEADERS_KEPT` that it has. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes of its body. */
  readonly body: string;
}

/** The network that webhooks may reach; tests give their own names and addresses. */
export type PostNetwork = Omit<NetworkOptions, 'timeoutMs' | 'maxConnectionsPerHost'>;

/** For the whole request, from the name to the end of the answer. */
const TIMEOUT_MS = 5000;
/** Bytes of an answer that are kept. The rest is not read. */
export const ANSWER_MAX_BYTES = 4000;
/** Headers that say who answered, and why not with a 2xx. */
const HEADERS_KEPT = [
  ...(['allow', 'content-length', 'content-type', 'location', 'retry-after', 'server', 'via'] as const),
  'www-authenticate',
];
const HEADER_MAX_CHARACTERS = 300;
/** Requests of a gateway at a time. */
export const CONCURRENT = 128;

const failed = (error: string): Posted => ({ status: null, answer: null, error });

const whyFailed = (error: unknown, signal: AbortSignal): string => {
  const cause = causeOf(error);
  if (cause instanceof PrivateAddress)
    return 'the address is not public; private ones are switched off (WEBHOOK_ALLOW_PRIVATE_NETWORKS)';
  return signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : 'the address could not be reached';
};

/** Reads the first bytes of an answer as text. An answer that ends early, or too late, has those that came. */
const readStart = async (response: Response, signal: AbortSignal): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk.subarray(0, ANSWER_MAX_BYTES - length));
      length += chunk.byteLength;
      if (length >= ANSWER_MAX_BYTES || signal.aborted) break;
    }
  } catch {
    // The status has already decided.
  }
  // Postgres stores no U+0000.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\uFFFD');
};

const keptHeaders = ({ headers }: Response): Readonly<Record<string, string>> =>
  Object.fromEntries(
    HEADERS_KEPT.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value.slice(0, HEADER_MAX_CHARACTERS)]];
    }),
  );

/** Creates the function that posts. It reaches only public addresses, follows no redirects and keeps no connections. */
export const createPost = (network: PostNetwork) => {
  const agent = createGuardedAgent({
    ...network,
    timeoutMs: TIMEOUT_MS,
    maxConnectionsPerHost: CONCURRENT,
  });
  return {
    /** Sends the request. Never throws. */
    async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Posted> {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { ...headers, ...traceHeaders() },
          body,
          signal,
          dispatcher: agent,
          redirect: 'manual',
        });
        const answer = { headers: keptHeaders(response), body: await readStart(response, signal) };
        return { status: response.status, answer, error: null };
      } catch (error) {
        return failed(whyFailed(error, signal));
      }
    },
    close: (): Promise<void> => agent.destroy(),
  };
};

/** Sends requests; see `createPost`. */
export type Post = ReturnType<typeof createPost>;
