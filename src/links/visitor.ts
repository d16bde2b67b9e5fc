import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** What tells one visitor from another, for a moment and in memory only. */
export interface VisitorTraits {
  readonly slug: string;
  readonly at: Date;
  readonly address: string;
  readonly userAgent: string;
}

const HASH_BYTES = 8;
const IPV6_NETWORK_BYTES = 8;
/** Scans that wait over midnight still need yesterday's. */
const SALTS_KEPT = 2;

/**
 * The part of an address that stays the same for a household: IPv4 whole, of IPv6 the /64 network, within which
 * devices change their address all the time (RFC 8981). '' for what is no address.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : Buffer.from(parsed.toByteArray().slice(0, IPV6_NETWORK_BYTES)).toString('hex');
};

/** The UTC day as `YYYY-MM-DD`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 'YYYY-MM-DD'.length);

/**
 * Makes a function that gives a visitor 8 bytes: the same for the same network and user agent on one link and one
 * UTC day, and without meaning beyond these: HMAC-SHA256 under a random salt that is gone after the day. Two of a
 * million visitors a day share a hash with a probability of 3 in 10^8.
 *
 * @param loadSalt Gives the day's salt, the same to every gateway. What it throws is thrown on.
 */
export const createVisitorHash = (
  loadSalt: (day: string) => Promise<Uint8Array>,
): ((traits: VisitorTraits) => Promise<Uint8Array>) => {
  const salts = new Map<string, Promise<Uint8Array>>();

  const saltOf = (day: string): Promise<Uint8Array> => {
    const kept = salts.get(day);
    if (kept) return kept;
    const loading = loadSalt(day);
    salts.set(day, loading);
    loading.catch(() => salts.delete(day));
    for (const old of [...salts.keys()].sort().slice(0, -SALTS_KEPT)) salts.delete(old);
    return loading;
  };

  return async ({ slug, at, address, userAgent }) => {
    const salt = await saltOf(dayOf(at));
    const traits = [slug, networkOf(address), userAgent].join('\0');
    return createHmac('sha256', salt).update(traits).digest().subarray(0, HASH_BYTES);
  };
};
