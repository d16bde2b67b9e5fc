import { Resolver, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector } from 'undici';

/**
 * Addresses in public ranges at which a cloud serves its own machines: Azure's "WireServer". Those of other clouds
 * (169.254.169.254, 100.100.100.200, 192.0.0.192, fd00:ec2::254) are in special ranges anyway.
 */
const CLOUD_INTERNAL = new Set(['168.63.129.16']);

/** Whether a name always means the machine itself, whatever a name server says (RFC 6761, 6.3). */
export const isLocalName = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);

const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/** RFC 5214: an interface id of 0000:5efe or 0200:5efe carries an IPv4 address to which a host may tunnel. */
const isIsatap = (address: ipaddr.IPv6): boolean =>
  (address.parts[4] === 0 || address.parts[4] === 0x200) && address.parts[5] === 0x5efe;

/**
 * Whether an address, as text, belongs to the public internet: global unicast and in none of the IANA
 * special-purpose registries (loopback, private, link-local, carrier NAT, documentation, multicast, reserved,
 * and the IPv6 forms that carry an IPv4 address, whatever that address is). Returns false for any other text.
 */
export const isPublicAddress = (text: string): boolean => {
  if (!isIP(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST) && !isIsatap(address);
  return !CLOUD_INTERNAL.has(address.toString());
};

/** How names are resolved, and which addresses may be reached. */
interface ConnectOptions {
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
const createGuardedConnector = (options: ConnectOptions): buildConnector.connector => {
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
