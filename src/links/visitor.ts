import { hash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What tells one visitor from another, for a moment and in memory only. */
export interface VisitorTraits {
  readonly slug: string;
  readonly at: Date;
  readonly address: string;
  readonly userAgent: string;
}

const HASH_BYTES = 8;
const DAY_MS = 86_400_000;
const IPV6_NETWORK_BYTES = 8;
/** Scans that wait over midnight still need yesterday's. */
const SALTS_KEPT = 2;

/**
 * The part of an address that stays the same for a household: IPv4 whole, of IPv6 the /64 network, within which
 * devices change their address all the time (RFC 8981). '' for what is no address.
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
 * Makes a function that gives each visitor 8 bytes, hexadecimal: the same for the same network and user agent on one
 * link and one UTC day, and without meaning beyond these: SHA-256 of a random salt that is gone after the day and of
 * the visitor's traits. Nobody sees the hash's other 24 bytes, which lengthening the traits would take. Two of a
 * million visitors a day share a hash with a probability of 3 in 10^8.
 *
 * @param loadSalt Gives the salt of a day, `YYYY-MM-DD`, the same to every gateway. What it throws is thrown on.
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
