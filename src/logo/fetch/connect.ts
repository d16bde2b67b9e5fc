import type { Resolver } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { isLocalName } from './address.ts';

/** How names are resolved, and which addresses may be reached. */
export interface ConnectOptions {
  readonly lookup: LookupFunction;
  readonly isAllowedAddress: (address: string) => boolean;
  readonly timeoutMs: number;
}

/** Returns an error for the log that says why nothing was connected. */
const refusal = (what: string): Error => new Error(`address refused: ${what}`);

/** The address is not allowed. Nothing was sent to it. */
export class PrivateAddress extends Error {
  constructor(address: string) {
    super(`address refused: ${address}`);
  }
}

const LOOPBACK = '127.0.0.1';

/** Fails when any address of a name is not allowed: a name that also has other addresses is not trusted at all. */
const guardLookup =
  ({ lookup, isAllowedAddress }: ConnectOptions): LookupFunction =>
  (hostname, options, callback) => {
    if (isLocalName(hostname) && !isAllowedAddress(LOOPBACK)) {
      return callback(new PrivateAddress(hostname), []);
    }
    return lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const answers = Array.isArray(found) ? found : [];
      const bad = answers.find(({ address }) => !isAllowedAddress(address));
      const first = answers[0];
      if (bad) return callback(new PrivateAddress(bad.address), []);
      if (!first) return callback(refusal('no answer'), []);
      return options.all ? callback(null, answers) : callback(null, first.address, first.family);
    });
  };

/**
 * Makes a connector for undici that reaches allowed addresses only. It checks three times, because no single check
 * covers everything: IP literals (Node calls no `lookup` for them), every answer of the name server, and the peer of
 * the socket that was opened.
 */
export const createGuardedConnector = (options: ConnectOptions): buildConnector.connector => {
  const { isAllowedAddress, timeoutMs } = options;
  const shared = { timeout: timeoutMs, lookup: guardLookup(options) };
  const dialPlainly = buildConnector(shared);
  let dialSecurely: buildConnector.connector | undefined;
  const dial: buildConnector.connector = (target, callback) => {
    if (target.protocol !== 'https:') return dialPlainly(target, callback);
    // Each context of its own would take 16 ms of the main thread to read the root certificates.
    dialSecurely ??= buildConnector({ ...shared, secureContext: createSecureContext() });
    return dialSecurely(target, callback);
  };
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) && !isAllowedAddress(host)) return callback(new PrivateAddress(host), null);
    return dial(target, (error, socket) => {
      if (error) return callback(error, null);
      if (isAllowedAddress(socket?.remoteAddress ?? '')) return callback(null, socket);
      socket?.destroy();
      return callback(refusal(`peer ${socket?.remoteAddress}`), null);
    });
  };
};

/**
 * Makes a look-up that asks the name servers directly (c-ares). `dns.lookup` would hold one of libuv's four threads for
 * as long as a hostile name server likes. It would also read the machine's hosts file, which has no public names.
 */
export const createNameServerLookup =
  (resolver: Resolver): LookupFunction =>
  (hostname, _options, callback) => {
    const answers: { address: string; family: number }[] = [];
    let left = 2;
    const collect = (family: 4 | 6) => (error: NodeJS.ErrnoException | null, addresses: string[]) => {
      if (!error) answers.push(...addresses.map((address) => ({ address, family })));
      if (--left > 0) return;
      answers.sort((a, b) => a.family - b.family);
      callback(answers.length === 0 ? (error ?? refusal(`${hostname} has no address`)) : null, answers);
    };
    resolver.resolve4(hostname, collect(4));
    resolver.resolve6(hostname, collect(6));
  };
