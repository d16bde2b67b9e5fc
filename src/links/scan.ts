import { hash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4 } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import type { ScanRow } from '../db/tables/scans/scans.ts';
import { type createScanClassifier, readCountry, type ScanTraits } from './classify.ts';

/** A scan as its request describes it. It stays in memory; only a `ScanRow` is stored. */
export interface Scan extends ScanTraits {
  readonly slug: string;
  readonly at: Date;
  readonly address: string;
  /** The name of the rule that led it; '': none did. */
  readonly rule: string;
}

/** In characters. Longer headers are cut, which bounds the memory of buffered scans; those of browsers are shorter. */
const HEADER_MAX = 512;

const USER_AGENT_HEADERS = ['user-agent'];
const REFERRER_HEADERS = ['referer'];
/** The networks in front of a gateway set these. Anyone else can send them too, which at worst makes a wrong count. */
const COUNTRY_HEADERS = [
  'cf-ipcountry',
  'cloudfront-viewer-country',
  'x-vercel-ip-country',
  'x-country-code',
];
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/**
 * Returns the first header that is present, or ''. Copies a long one, because a substring keeps all of it in memory.
 */
const header = (headers: IncomingHttpHeaders, names: readonly string[]): string => {
  const present = names.find((name) => headers[name] !== undefined);
  if (present === undefined) return '';
  const text = String(headers[present]);
  return text.length <= HEADER_MAX
    ? text
    : Buffer.from(text.slice(0, HEADER_MAX), 'latin1').toString('latin1');
};

/** Returns the user agent of a request, cut as that of its scan is. */
export const userAgentIn = (headers: IncomingHttpHeaders): string => header(headers, USER_AGENT_HEADERS);

/** Returns the country that the headers of a request name, two letters in upper case, or ''. */
export const countryIn = (headers: IncomingHttpHeaders): string =>
  readCountry(header(headers, COUNTRY_HEADERS));

/** Takes from a request what a scan needs. Parses nothing; that happens in the background. */
export const noteScan = (slug: string, address: string, headers: IncomingHttpHeaders, rule = ''): Scan => ({
  slug,
  at: new Date(),
  address,
  rule,
  userAgent: header(headers, USER_AGENT_HEADERS),
  referrer: header(headers, REFERRER_HEADERS),
  country: header(headers, COUNTRY_HEADERS),
  purpose: header(headers, PURPOSE_HEADERS),
});

/** Scans described in one turn of the event loop. Redirects wait for that turn, about half a millisecond. */
const DESCRIBED_PER_TURN = 200;

/**
 * Makes a function that turns scans into rows, in order. It throws when the salt of a day cannot be loaded. A country
 * that a header names comes before the one of `countryOf`.
 */
export const createScanDescriber = (
  classify: ReturnType<typeof createScanClassifier>,
  visitorsOf: ReturnType<typeof createVisitorHash>,
  countryOf: (address: string) => string,
): ((scans: readonly Scan[]) => Promise<readonly ScanRow[]>) => {
  const describe = async (scans: readonly Scan[]): Promise<readonly ScanRow[]> => {
    const visitors = await visitorsOf(scans);
    // Field by field: spreading objects takes twice the time, and this runs for every redirect.
    return scans.map((scan, i) => {
      const { kind, device, os, browser, country, referrerHost } = classify(scan);
      return {
        id: randomUUID(),
        at: scan.at,
        slug: scan.slug,
        kind,
        visitor: visitors[i]!,
        device,
        os,
        browser,
        country: country || countryOf(scan.address),
        referrerHost,
        rule: scan.rule,
      };
    });
  };

  return async (scans) => {
    const rows: ScanRow[] = [];
    while (rows.length < scans.length) {
      if (rows.length > 0) await nextTurn();
      rows.push(...(await describe(scans.slice(rows.length, rows.length + DESCRIBED_PER_TURN))));
    }
    return rows;
  };
};

/** What distinguishes visitors. It stays in memory, until the scan is written. */
export type VisitorTraits = Pick<Scan, 'slug' | 'at' | 'address' | 'userAgent'>;

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
