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

/** Keeps what a function returns. */
const once = <T>(find: () => T): (() => T) => {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
};

const DEVICES: Readonly<Record<string, 'ios' | 'android'>> = { iOS: 'ios', Android: 'android' };

/** Returns the facts of a request. */
export const factsOf = (
  { firstSlug, headers, address, url }: VisitRequest,
  { classify, places, visitors }: VisitParts,
): Facts => {
  const userAgent = once(() => userAgentIn(headers));
  const place = once<Place>(() => places.placeOf(address));
  const visitor = once(() => visitorKey(networkOf(address), userAgent()));
  return {
    atMs: Date.now(),
    device: once(() => {
      const { os, device } = classify({ userAgent: userAgent(), referrer: '', country: '', purpose: '' });
      return DEVICES[os] ?? (device === 'desktop' ? 'desktop' : '');
    }),
    languages: once(() => wantedLanguages(headers['accept-language'] ?? '')),
    country: once(() => countryIn(headers) || place().country),
    region: () => place().region,
    city: () => place().city,
    query: once(() => new URLSearchParams(url.split('?').slice(1).join('?'))),
    visitor,
    isFirst: once(() => visitors.isFirst(firstSlug, visitor())),
  };
};
