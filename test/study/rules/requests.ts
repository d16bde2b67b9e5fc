/** Random rules and visits. Both draw from the same few values, so that about half of all conditions hold. */
import type { Conditions, Rule } from '../../../src/db/tables/rules/rule.ts';
import type { Visit } from './model.ts';

/** Returns numbers from 0 to below 1. */
export type Random = () => number;

/** A visit to one of a few links, at which its visitor may have been before. */
export type Request = Omit<Visit, 'visit'> & { readonly link: string };

/** Each user agent with what a person would call its device. */
const USER_AGENTS: readonly (readonly [string, Visit['device']])[] = [
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'ios',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1',
    'ios',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Mobile/15E148 Safari/604.1',
    'ios',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 340.0.0.0',
    'ios',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    'android',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'android',
  ],
  ['Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'android'],
  [
    'Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    'android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    'desktop',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'desktop',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'desktop'],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    'desktop',
  ],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', null],
  [
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    null,
  ],
  ['WhatsApp/2.23.20.0 A', null],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', null],
  ['curl/8.5.0', null],
  ['', null],
];
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
];
const LANGUAGES = ['de', 'de-CH', 'DE-ch', 'en', 'en-GB', 'fr', 'zh-Hant', 'zh-hant-TW', 'zh', 'd'];
const ELEMENTS = [...LANGUAGES, '*', 'de-*', '12', 'de-', '-de', 'deutschland', '', ' '];
const WEIGHTS = [
  '',
  '',
  ';q=0',
  ';q=0.0',
  ';q=0.8',
  '; q=0.9',
  ' ;\tQ=0.80',
  ';q=1.000',
  ';q=2',
  ';q=0.8888',
  ';q=',
  ';x=1',
  ';q=0.8;v=1',
];
const COUNTRIES = ['DE', 'CH', 'AT', 'FR'];
const REGIONS = ['DE-BY', 'DE-BE', 'CH-ZH'];
const CITIES = ['Munich', 'Zürich', 'Berlin', 'Saint-Étienne'];
const PARAMETERS = ['a', 'utm_source', 'ä b', '__proto__', 'A'];
const VALUES = ['', '1', 'x y', 'Ä', 'a=b&c', '+', '%41'];
/** How often links, visitors and days come again. */
const LINKS = 40;
const VISITORS = 400;
const FIRST_DAY_MS = Date.UTC(2026, 0, 1);
const YEAR_MS = 365 * 86_400_000;
const MINUTE_MS = 60_000;

/** Makes functions that draw. */
export const createDraw = (random: Random) => {
  const below = (max: number): number => Math.floor(random() * max);
  const one = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const isOften = (share: number): boolean => random() < share;
  const some = <T>(values: readonly T[], max = 3): readonly T[] => [
    ...new Set(Array.from({ length: 1 + below(max) }, () => one(values))),
  ];
  const upperOrLower = (text: string): string => one([text, text, text.toUpperCase(), text.toLowerCase()]);
  const clock = (): string =>
    [below(24), isOften(0.5) ? 15 * below(4) : below(60)]
      .map((number) => String(number).padStart(2, '0'))
      .join(':');
  /** Often a round one, at which spans begin and end, or one of a few. */
  const moment = (): Date => {
    if (isOften(0.1)) return new Date(Date.UTC(2026, below(12)));
    const atMs = FIRST_DAY_MS + below(YEAR_MS);
    return new Date(isOften(0.3) ? atMs - (atMs % (15 * MINUTE_MS)) - below(2) : atMs);
  };

  const time = (): NonNullable<Conditions['time']> => {
    const from = one([undefined, '00:00', clock(), clock()]);
    const until = one([undefined, '00:00', clock(), clock()]);
    const isSpan = from !== until && (from ?? '00:00') !== until;
    const weekdays = isOften(0.5) || !isSpan ? some(WEEKDAYS, 6) : undefined;
    return {
      zone: one(ZONES),
      ...(weekdays && { weekdays }),
      ...(isSpan && from !== undefined && { from }),
      ...(isSpan && until !== undefined && { until }),
    };
  };
  const date = (): NonNullable<Conditions['date']> => {
    const [from, until] = [moment(), moment()].sort((a, b) => a.getTime() - b.getTime()) as [Date, Date];
    const ends = from < until ? one(['from', 'until', 'both']) : 'from';
    return {
      ...(ends !== 'until' && { from: from.toISOString() }),
      ...(ends !== 'from' && { until: until.toISOString().replace('Z', '+00:00') }),
    };
  };
  const conditions: { readonly [K in keyof Conditions]-?: () => NonNullable<Conditions[K]> } = {
    device: () => some(['ios', 'android', 'desktop']),
    language: () => some(LANGUAGES),
    country: () => some(COUNTRIES),
    region: () => some(REGIONS),
    city: () => some(CITIES).map(upperOrLower),
    query: () =>
      Object.fromEntries(some(PARAMETERS, 2).map((name) => [name, isOften(0.4) ? [] : some(VALUES, 4)])),
    time,
    date,
    visit: () => one(['first', 'later']),
    share_percent: () => 0.01 + below(9998) / 100,
  };
  const names = Object.keys(conditions) as (keyof Conditions)[];

  const encode = (text: string): string => {
    const percent = encodeURIComponent(text);
    return one([
      percent,
      percent.replaceAll('%20', '+'),
      percent.toLowerCase() === percent ? percent : text.replace(/[&=+%#]/g, encodeURIComponent),
    ]);
  };
  const parameter = (): string => {
    const name = encode(one(PARAMETERS));
    return isOften(0.15) ? name : `${name}=${encode(one(VALUES))}`;
  };
  const group = (): string => one(['0', '1', 'db8', '0db8', '2001', 'FFFF']);
  const address = (visitor: number): string => {
    const last = visitor % 250;
    switch (visitor % 5) {
      case 0:
        return `2001:db8:0:${last.toString(16)}::${below(65_536).toString(16)}`;
      case 1:
        return `::${one(['ffff', 'FFFF', '0:ffff'])}:${one([`192.0.2.${last}`, `c000:${(512 + last).toString(16)}`])}`;
      case 2:
        return Array.from({ length: 8 }, group).join(':');
      default:
        return `192.0.2.${last}`;
    }
  };

  return {
    rules: (): readonly Rule[] =>
      Array.from({ length: below(7) }, (_, n) => ({
        name: `rule-${n}`,
        when: Object.fromEntries(some(names, 2).map((name) => [name, conditions[name]()])) as Conditions,
        destination: `https://example.com/${n}`,
      })),
    request: (): Request => {
      const visitor = below(VISITORS);
      const [userAgent, device] = USER_AGENTS[visitor % USER_AGENTS.length]!;
      const elements = Array.from({ length: below(5) }, () => `${one(ELEMENTS)}${one(WEIGHTS)}`);
      return {
        link: `link${below(LINKS)}`,
        at: moment(),
        // Of two longer ones that differ only behind their 512th character, both are the same visitor.
        userAgent: userAgent !== '' && isOften(0.05) ? `${userAgent.padEnd(512)}${below(9)}` : userAgent,
        device,
        acceptLanguage: `${elements.join(one([',', ', ']))}${isOften(0.02) ? ' '.repeat(1000) : ''}`,
        address: address(visitor),
        country: one(['', ...COUNTRIES]),
        region: one(['', ...REGIONS]),
        city: upperOrLower(one(['', ...CITIES])),
        query: Array.from({ length: below(4) }, parameter).join('&'),
      };
    },
  };
};
