import Bowser from 'bowser';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import type { ScanKind } from '../db/tables/scans/scans.ts';
import { isPreviewFetcher } from './preview-fetchers.ts';

/** What a request tells of who scanned; headers as they came. */
export interface ScanTraits {
  readonly userAgent: string;
  readonly referrer: string;
  readonly country: string;
  /** `Sec-Purpose`, `Purpose`, `X-Purpose` or `X-Moz`. */
  readonly purpose: string;
}

interface Client {
  readonly kind: ScanKind;
  readonly device: string;
  readonly os: string;
  readonly browser: string;
}

/** In every text field '' means "not known". */
export interface ScanClass extends Client {
  readonly country: string;
  readonly referrerHost: string;
}

/** Names from the parser's own lists; what it takes from the text itself is anybody's. */
const BROWSERS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.OS_MAP));
const DEVICES: ReadonlySet<string | undefined> = new Set(['mobile', 'tablet', 'desktop', 'tv']);

const listed = (name: string | undefined, names: ReadonlySet<string | undefined>): string =>
  name !== undefined && names.has(name) ? name : '';

const kindOf = (userAgent: string): ScanKind => {
  if (isPreviewFetcher(userAgent)) return 'preview';
  // Every browser sends one.
  return userAgent === '' || isbot(userAgent) ? 'bot' : 'person';
};

const readClient = (userAgent: string): Client => {
  const kind = kindOf(userAgent);
  if (kind !== 'person') return { kind, device: '', os: '', browser: '' };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    kind,
    // For Chrome OS the parser names no device.
    device: listed(platform.type, DEVICES) || (os.name === Bowser.OS_MAP.ChromeOS ? 'desktop' : ''),
    os: listed(os.name, SYSTEMS),
    browser: listed(browser.name, BROWSERS),
  };
};

/** Browsers fetch ahead what the person may open next: nobody has come yet. */
const isFetchedAhead = (purpose: string): boolean => /\b(prefetch|prerender|preview)\b/i.test(purpose);

/** XX, T1 (Tor) and ZZ stand for "unknown" with the networks that send them. */
const readCountry = (country: string): string =>
  /^[a-z]{2}$/i.test(country) && !/^(xx|zz)$/i.test(country) ? country.toUpperCase() : '';

/** Host of a page, or the name of an Android app; without `www.`, which tells nothing. */
const readReferrerHost = (referrer: string): string => {
  if (!/^(https?|android-app):\/\//i.test(referrer) || !URL.canParse(referrer)) return '';
  const host = new URL(referrer).hostname
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '');
  return /^[a-z0-9._[\]:-]{1,253}$/.test(host) ? host : '';
};

/**
 * Makes a classifier. User agents repeat, so what they tell is kept for the last `maxUserAgents` of them.
 *
 * A scan is a `preview` when a messenger or social network looks at the link to draw a card, or a browser loads
 * it ahead; a `bot` when `isbot` says so or there is no user agent; else a `person`.
 */
export const createScanClassifier = (maxUserAgents: number): ((traits: ScanTraits) => ScanClass) => {
  const clients = new LRUCache<string, Client>({ max: maxUserAgents });

  const clientOf = (userAgent: string): Client => {
    const kept = clients.get(userAgent);
    if (kept) return kept;
    const client = readClient(userAgent);
    clients.set(userAgent, client);
    return client;
  };

  return ({ userAgent, referrer, country, purpose }) => {
    const client = clientOf(userAgent);
    const kind = client.kind === 'person' && isFetchedAhead(purpose) ? 'preview' : client.kind;
    return { ...client, kind, country: readCountry(country), referrerHost: readReferrerHost(referrer) };
  };
};
