import type { Resolver } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isLocalName } from './address.ts';

export interface ConnectOptions {
  readonly lookup: LookupFunction;
  readonly isAllowedAddress: (address: string) => boolean;
  readonly timeoutMs: number;
}

/** Says why nothing was connected, for the log. */
const refusal = (what: string): Error => new Error(`address refused: ${what}`);

/** Nothing was connected, and nothing was asked of the address. */
export class PrivateAddress extends Error {
  constructor(address: string) {
    super(`address refused: ${address}`);
  }
}

const LOOPBACK = '127.0.0.1';

/** Fails when any answer is refused: a name that points inside and outside is not trusted with either. */
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
 * A connector for undici that reaches allowed addresses only. It looks three times, as each look alone has a
 * hole: IP literals (Node asks no `lookup` for them), every answer of the name server, and the peer of the
 * socket that was opened.
 */
export const createGuardedConnector = (options: ConnectOptions): buildConnector.connector => {
  const { isAllowedAddress, timeoutMs } = options;
  const dial = buildConnector({ timeout: timeoutMs, lookup: guardLookup(options) });
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
 * Asks the name servers directly (c-ares). `dns.lookup` would hold one of libuv's four threads for as long as a
 * hostile name server likes, and reads the machine's hosts file, in which no public name is.
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
