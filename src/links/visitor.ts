import { hash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What distinguishes visitors. It stays in memory, until the scan is written. */
export interface VisitorTraits {
  readonly slug: string;
  readonly at: Date;
  readonly address: string;
  readonly userAgent: string;
}

const HASH_BYTES = 8;
const DAY_MS = 86_400_000;
const IPV6_NETWORK_BYTES = 8;
/** Scans that wait past midnight still need yesterday's salt. */
const SALTS_KEPT = 2;

/**
 * Returns the part of an address that stays the same for a household: the whole of an IPv4 address, and the /64 network
 * of an IPv6 address, within which devices change their address all the time (RFC 8981). Returns '' for any other text.
 */
export const networkOf = (address: string): string => {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : Buffer.from(parsed.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex');
};

/** Days since 1970-01-01, UTC. */
const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);

/**
 * Makes a function that gives each visitor 8 bytes, hexadecimal. They are the same for the same network and user agent
 * on one link and one UTC day, and cannot be matched across links or days. They are the first bytes of the SHA-256 of
 * the visitor's traits and of a random salt that is deleted after the day. The other 24 bytes stay hidden, so nobody
 * can extend the hash to longer traits. Among a million visitors a day, the probability that any two share a hash is 3
 * in 10^8.
 *
 * @param loadSalt Returns the salt of a day, `YYYY-MM-DD`, the same on every gateway. Its errors are passed on.
 */
export const createVisitorHash = (
  loadSalt: (day: string) => Promise<Uint8Array>,
): ((visitors: readonly VisitorTraits[]) => Promise<readonly string[]>) => {
  const salts = new Map<number, string>();

  const saltOf = async (day: number): Promise<string> => {
    const kept = salts.get(day);
    if (kept !== undefined) return kept;
    const loaded = await loadSalt(new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length));
    const salt = Buffer.from(loaded).toString('hex');
    salts.set(day, salt);
    for (const old of [...salts.keys()].sort((a, b) => a - b).slice(0, -SALTS_KEPT)) salts.delete(old);
    return salt;
  };

  return async (visitors) => {
    const needed = new Map<number, string>();
    for (const day of new Set(visitors.map(({ at }) => dayOf(at)))) needed.set(day, await saltOf(day));
    return visitors.map(({ slug, at, address, userAgent }) =>
      hash('sha256', `${needed.get(dayOf(at))}\0${slug}\0${networkOf(address)}\0${userAgent}`).slice(
        0,
        2 * HASH_BYTES,
      ),
    );
  };
};
