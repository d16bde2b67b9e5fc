import { Resolver, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch, type Response } from 'undici';
import { isPublicAddress } from './address.ts';
import { createGuardedConnector, createNameServerLookup } from './connect.ts';

export interface FetchOptions {
  /** Over everything: names, connections, redirects and the body. */
  readonly timeoutMs: number;
  /** Of the body after content decoding. */
  readonly maxBytes: number;
  /** Lifts the rules on addresses and ports. */
  readonly allowPrivateNetworks: boolean;
  readonly maxConnectionsPerHost: number;
  /** What the guard asks; by default the name servers, and whether an address is a public one. */
  readonly lookup?: LookupFunction;
  readonly isAllowedAddress?: (address: string) => boolean;
  readonly allowedPorts?: readonly number[];
}

export type Fetched =
  | { readonly ok: true; readonly bytes: Buffer }
  /** `reason` is for the log: callers are told the same for each, so that this is no port scanner. */
  | { readonly ok: false; readonly isTooLarge: boolean; readonly reason: string };

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PUBLIC_PORTS: readonly number[] = [80, 443];
const HEADERS = {
  accept: 'image/png, image/jpeg, image/webp, image/gif, image/svg+xml',
  'accept-encoding': 'identity',
  'user-agent': 'Tessera',
};

const failed = (reason: string): Fetched => ({ ok: false, isTooLarge: false, reason });
const tooLarge: Fetched = { ok: false, isTooLarge: true, reason: 'too large' };

/** What may not stand in a URL, or `null`. `allowedPorts` of `null`: any. */
export const urlFault = (url: URL, allowedPorts: readonly number[] | null): string | null => {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'URL must begin with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'URL must not hold a user name or a password';
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443);
  return !allowedPorts || allowedPorts.includes(port) ? null : 'URL must use port 80 or 443';
};

/** Stops reading, and with it the connection, at the first byte too many. */
const readBody = async (response: Response, maxBytes: number): Promise<Fetched> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) return tooLarge;
    chunks.push(chunk);
  }
  return { ok: true, bytes: Buffer.concat(chunks) };
};

const describe = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
};

/** Two tries, which together leave time for the rest. */
const publicLookup = (timeoutMs: number): LookupFunction =>
  createNameServerLookup(new Resolver({ timeout: Math.ceil(timeoutMs / 5), tries: 2 }));

/** Fetches files from the public internet on behalf of callers who are not trusted. */
export const createFetcher = (options: FetchOptions) => {
  const { timeoutMs, maxBytes, allowPrivateNetworks } = options;
  const allowedPorts = allowPrivateNetworks ? null : (options.allowedPorts ?? PUBLIC_PORTS);
  const connect = createGuardedConnector({
    timeoutMs,
    lookup: options.lookup ?? (allowPrivateNetworks ? systemLookup : publicLookup(timeoutMs)),
    isAllowedAddress: allowPrivateNetworks ? () => true : (options.isAllowedAddress ?? isPublicAddress),
  });
  // No kept connections (`pipelining: 0`), no proxy from the environment, no cookies.
  const agent = new Agent({
    connect,
    connections: options.maxConnectionsPerHost,
    pipelining: 0,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16_384,
  });

  const follow = async (start: URL, signal: AbortSignal): Promise<Fetched> => {
    let url = start;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const fault = urlFault(url, allowedPorts);
      if (fault) return failed(fault);
      const response = await fetch(url, { dispatcher: agent, headers: HEADERS, redirect: 'manual', signal });
      if (response.status === 200) return readBody(response, maxBytes);
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || !location) return failed(`status ${response.status}`);
      if (!URL.canParse(location, url.href)) return failed('redirect to no URL');
      url = new URL(location, url);
    }
    return failed('too many redirects');
  };

  return {
    /** What is wrong with the URL as it is written, before anything is asked of the network. */
    urlFault: (url: URL): string | null => urlFault(url, allowedPorts),
    /** Never throws: whatever goes wrong on the way is an outcome. */
    get: async (url: URL): Promise<Fetched> => {
      try {
        return await follow(url, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        return failed(describe(error));
      }
    },
    close: (): Promise<void> => agent.destroy(),
  };
};
