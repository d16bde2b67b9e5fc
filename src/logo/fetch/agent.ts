import { Resolver, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { isPublicAddress } from './address.ts';
import { createGuardedConnector, createNameServerLookup } from './connect.ts';

/** The network that the service may reach for untrusted callers. */
export interface NetworkOptions {
  /** For each step of a request; the caller bounds the total. */
  readonly timeoutMs: number;
  /** Lifts the rules on addresses. */
  readonly allowPrivateNetworks: boolean;
  readonly maxConnectionsPerHost: number;
  /** Resolves names for the guard. Default: the name servers; with `allowPrivateNetworks`, the system. */
  readonly lookup?: LookupFunction;
  /** Default: public addresses. */
  readonly isAllowedAddress?: (address: string) => boolean;
}

/** Makes a look-up with two attempts at a name, which together leave time for the rest of the request. */
const publicLookup = (timeoutMs: number): LookupFunction =>
  createNameServerLookup(new Resolver({ timeout: Math.ceil(timeoutMs / 5), tries: 2 }));

/** Returns the rule for which addresses may be reached. */
export const addressRule = ({
  allowPrivateNetworks,
  isAllowedAddress = isPublicAddress,
}: NetworkOptions): ((address: string) => boolean) => (allowPrivateNetworks ? () => true : isAllowedAddress);

/** Creates an agent for undici that reaches allowed addresses only, and fails with `PrivateAddress` otherwise. */
export const createGuardedAgent = (options: NetworkOptions): Agent => {
  const { timeoutMs, allowPrivateNetworks } = options;
  const connect = createGuardedConnector({
    timeoutMs,
    lookup: options.lookup ?? (allowPrivateNetworks ? systemLookup : publicLookup(timeoutMs)),
    isAllowedAddress: addressRule(options),
  });
  // No kept connections (`pipelining: 0`), no proxy from the environment, no cookies.
  return new Agent({
    connect,
    connections: options.maxConnectionsPerHost,
    pipelining: 0,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxHeaderSize: 16_384,
  });
};
