/** What a request to a short link says, for rules and for scans. Each fact is found when it is first asked for. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { createScanClassifier } from '../classify.ts';
import type { Countries, Place } from '../countries.ts';
import { countryIn, networkOf, userAgentIn } from '../scan.ts';
import { type Facts, visitorKey } from './decide.ts';
import { wantedLanguages } from './languages.ts';

/** A request as it arrived. */
export interface VisitRequest {
  /** The slug that the link was made with. */
  readonly firstSlug: string;
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
  /** The path with its query. */
  readonly url: string;
}

/** What facts are found with. */
export interface VisitParts {
  readonly classify: ReturnType<typeof createScanClassifier>;
  readonly places: Pick<Countries, 'placeOf'>;
  readonly visitors: Visitors;
}

const DAY_MS = 86_400_000;

/** Remembers the visitors of a day. */
export type Visitors = ReturnType<typeof createVisitors>;

/** Remembers the last `max` visitors of a UTC day in memory, as hashes with a salt that is never stored. */
export const createVisitors = (max: number, createSalt: () => string) => {
  const seen = new LRUCache<string, true>({ max });
  let [day, salt] = [Number.NaN, ''];
  const keyOf = (firstSlug: string, visitor: string): string => {
    const today = Math.floor(Date.now() / DAY_MS);
    if (today !== day) {
      seen.clear();
      [day, salt] = [today, createSalt()];
    }
    return hash('sha256', `${salt}\0${firstSlug}\0${visitor}`, 'base64url').slice(0, 16);
  };
  return {
    isFirst: (firstSlug: string, visitor: string): boolean => !seen.has(keyOf(firstSlug, visitor)),
    note: (firstSlug: string, visitor: string): void => void seen.set(keyOf(firstSlug, visitor), true),
  };
};

const NO_QUERY = new URLSearchParams();

const DEVICES: Readonly<Record<string, 'ios' | 'android'>> = { iOS: 'ios', Android: 'android' };

/** Returns the facts of a request. */
export const factsOf = (
  { firstSlug, headers, address, url }: VisitRequest,
  { classify, places, visitors }: VisitParts,
): Facts => {
  // One scope for all, because this runs at every visit: a closure with a scope of its own for each costs twice as much.
  let userAgent: string | undefined;
  let visitor: string | undefined;
  let country: string | undefined;
  let isFirst: boolean | undefined;
  let place: Place | undefined;
  let languages: readonly string[] | undefined;
  let query: URLSearchParams | undefined;
  const readUserAgent = (): string => (userAgent ??= userAgentIn(headers));
  const readPlace = (): Place => (place ??= places.placeOf(address));
  const readVisitor = (): string => (visitor ??= visitorKey(networkOf(address), readUserAgent()));
  return {
    atMs: Date.now(),
    device: () => {
      const { os, device } = classify({ userAgent: readUserAgent(), referrer: '', country: '', purpose: '' });
      return DEVICES[os] ?? (device === 'desktop' ? 'desktop' : '');
    },
    languages: () => (languages ??= wantedLanguages(headers['accept-language'] ?? '')),
    country: () => (country ??= countryIn(headers) || readPlace().country),
    region: () => readPlace().region,
    city: () => readPlace().city,
    query: () =>
      (query ??= url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : NO_QUERY),
    visitor: readVisitor,
    isFirst: () => (isFirst ??= visitors.isFirst(firstSlug, readVisitor())),
  };
};
