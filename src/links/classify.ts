import Bowser from 'bowser';
import { isbot } from 'isbot';
import { LRUCache } from 'lru-cache';
import type { ScanKind } from '../db/tables/scans/scans.ts';
import { parseUrl } from '../texts.ts';

/**
 * Fetchers that draw a link's card in a chat or a feed: somebody shared the link, nobody has opened it yet.
 * The names are those that their operators document or send. In-app browsers, which people use, carry other
 * names (`FBAN`, `Instagram`, `Line/`, `KAKAOTALK`, `[Pinterest/iOS]`) and must not match.
 */
const PREVIEW_FETCHERS = [
  'bitlybot',
  'bluesky cardyb',
  'chatwork linkpreview',
  'developers\\.google\\.com/\\+/web/snippet', // Google Chat and Gmail
  'discordbot',
  'embedly',
  'facebookexternalhit', // Facebook and Messenger; iMessage and LINE name it too
  'facebot',
  'flipboardproxy',
  'iframely',
  'kakaotalk-scrap',
  'linkedinbot',
  'mastodon/',
  'mattermost-bot',
  'meta-externalfetcher',
  'microsoftpreview', // Teams and Outlook
  'odklbot',
  'pinterest(?:bot|/0)',
  'redditbot',
  'rocket\\.chat',
  'skypeuripreview',
  'slack-imgproxy',
  'slackbot',
  'snap url preview',
  'telegrambot',
  'twitterbot',
  'viber',
  'vkshare',
  'whatsapp', // Signal borrows this name
];

const PATTERN = new RegExp(PREVIEW_FETCHERS.join('|'), 'i');

/** Whether a user agent fetches links to draw cards of them. */
const isPreviewFetcher = (userAgent: string): boolean => PATTERN.test(userAgent);

/** What a request says about who scanned: header values as they were sent, '' for those that are missing. */
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

/** What is stored about who scanned. In every text field '' means "not known". */
interface ScanClass extends Client {
  readonly country: string;
  readonly referrerHost: string;
}

/** Only names from the parser's own lists are stored. What it copies from the user agent could be any text. */
const BROWSERS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.OS_MAP));
const DEVICES: ReadonlySet<string | undefined> = new Set(['mobile', 'tablet', 'desktop', 'tv']);

const listed = (name: string | undefined, names: ReadonlySet<string | undefined>): string =>
  name !== undefined && names.has(name) ? name : '';

/**
 * The model of an Android device with its build, and what stands before it. The list of `isbot` has words that are
 * names of phones too: `M BOT 551`, `Discovery`, `Spider 8`, `S222 Build/CUBOT`. A fetcher that writes its name there
 * adds a version or an address, which have a slash; Catchpoint alone does not.
 */
const MODEL =
  /(\((?:[^()]*; ?)?(?:Android|Adr)\b[^;()]*; ?(?:[a-z]{2}[-_][a-z]{2}; ?)?)(?! *Catchpoint)[^;()/]*(?:\([^;()/]*\)[^;()/]*)?(?: Build\/[^;()]*)?(?=[;)])/i;

/**
 * What apps in which people read codes write that `isbot` takes for bots: names of Sogou, of WeChat's process and of
 * scanners, and the models that Instagram, Threads and Facebook repeat.
 */
const APPS = new RegExp(
  [
    '\\bSogou(?:MSE|MobileBrowser|Search Android)',
    '\\bProcess/tools',
    '\\b(?:qr|bar)[ _-]?(?:code)?[ _-]?scan(?:ner)?(?![a-z])',
    '\\b(?:Instagram|Barcelona) [\\d.]+ Android \\(\\d[^)]*',
    '\\bFBDV/[^;\\]]*',
  ].join('|'),
  'gi',
);

/** A user agent as of any other device and app: browsers that tell no model send `K` in its place. */
const withoutNames = (userAgent: string): string => userAgent.replace(MODEL, '$1K').replace(APPS, 'App');

const kindOf = (userAgent: string): ScanKind => {
  if (isPreviewFetcher(userAgent)) return 'preview';
  // Every browser sends a user agent.
  return userAgent === '' || isbot(withoutNames(userAgent)) ? 'bot' : 'person';
};

const readClient = (userAgent: string): Client => {
  const kind = kindOf(userAgent);
  if (kind !== 'person') return { kind, device: '', os: '', browser: '' };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    kind,
    // The parser names no device for Chrome OS.
    device: listed(platform.type, DEVICES) || (os.name === Bowser.OS_MAP.ChromeOS ? 'desktop' : ''),
    os: listed(os.name, SYSTEMS),
    browser: listed(browser.name, BROWSERS),
  };
};

/** Whether a browser prefetches the link, in case the person opens it next. Nobody has visited it yet. */
const isFetchedAhead = (purpose: string): boolean => /\b(prefetch|prerender|preview)\b/i.test(purpose);

/** Returns two letters in upper case, or ''. Networks send XX, ZZ and T1 (Tor) for "unknown". */
export const readCountry = (country: string): string =>
  /^[a-z]{2}$/i.test(country) && !/^(xx|zz)$/i.test(country) ? country.toUpperCase() : '';

/** In characters; hosts that people visit are shorter. Of others the end is stored, which says whose they are. */
const HOST_MAX = 100;

/** Returns the whole last labels that a long host may have. */
const shorten = (host: string): string =>
  host.length <= HOST_MAX ? host : host.slice(-HOST_MAX).replace(/^[^.]*\./, '');

/** Returns the host of a page without `www.`, or the name of an Android app, or ''. */
const readReferrerHost = (referrer: string): string => {
  const url = /^(https?|android-app):\/\//i.test(referrer) ? parseUrl(referrer) : null;
  if (url === null) return '';
  const host = url.hostname
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '');
  return /^[a-z0-9._[\]:-]{1,253}$/.test(host) ? shorten(host) : '';
};

/**
 * Makes a function that classifies scans. User agents repeat, so the last `maxUserAgents` of them are parsed once.
 *
 * A scan is a `preview` when a messenger or social network fetches the link to draw a card, or a browser prefetches it.
 * It is a `bot` when `isbot` says so, whatever the model of a phone, or the user agent is missing; otherwise a `person`.
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
    const { device, os, browser } = client;
    const kind = client.kind === 'person' && isFetchedAhead(purpose) ? 'preview' : client.kind;
    const referrerHost = readReferrerHost(referrer);
    return { kind, device, os, browser, country: readCountry(country), referrerHost };
  };
};
