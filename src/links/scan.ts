import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ScanRow } from '../db/tables/scans/scans.ts';
import type { createScanClassifier, ScanTraits } from './classify.ts';
import type { createVisitorHash } from './visitor.ts';

/** A scan as its request describes it. It stays in memory; only a `ScanRow` is stored. */
export interface Scan extends ScanTraits {
  readonly slug: string;
  readonly at: Date;
  readonly address: string;
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

/** Takes from a request what a scan needs. Parses nothing; that happens in the background. */
export const noteScan = (slug: string, address: string, headers: IncomingHttpHeaders): Scan => ({
  slug,
  at: new Date(),
  address,
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
