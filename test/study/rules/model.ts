/**
 * Which rule leads a visit, written from docs/api/link-rules.md alone. It shares no code with src/links/rules, so the
 * two agree only as far as the page says what the product does.
 */
import { createHash } from 'node:crypto';
import type { Rule } from '../../../src/db/tables/rules/rule.ts';

/** What a gateway is told of one visit. */
export interface Visit {
  readonly at: Date;
  readonly userAgent: string;
  /** Of the user agent; null: none, as bots and previews. */
  readonly device: 'ios' | 'android' | 'desktop' | null;
  readonly acceptLanguage: string;
  /** An IPv4 or IPv6 address. */
  readonly address: string;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** As sent behind the question mark. */
  readonly query: string;
  readonly visit: 'first' | 'later';
}

/** A rule that was asked, with its first condition in the order of the page that does not hold; null: all hold. */
export interface Asked {
  readonly rule: string;
  readonly condition: string | null;
}

type When = Rule['when'];

const ACCEPT_LANGUAGE_MAX = 1000;
const USER_AGENT_MAX = 512;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
/** RFC 9110, sections 12.4.2 and 12.5.4, without `*`. */
const LANGUAGE_ELEMENT =
  /^[ \t]*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?[ \t]*$/i;

const mostWanted = (header: string): readonly string[] => {
  if (header.length > ACCEPT_LANGUAGE_MAX) return [];
  const wanted = header.split(',').flatMap((element) => {
    const [, language, count = '1'] = LANGUAGE_ELEMENT.exec(element) ?? [];
    return language === undefined || Number(count) === 0 ? [] : [{ language, count: Number(count) }];
  });
  const most = Math.max(...wanted.map(({ count }) => count));
  return wanted.filter(({ count }) => count === most).map(({ language }) => language.toLowerCase());
};

const isBelow = (language: string, entry: string): boolean =>
  language === entry.toLowerCase() || language.startsWith(`${entry.toLowerCase()}-`);

const clocks = new Map<string, Intl.DateTimeFormat>();

const localTime = (at: Date, zone: string): { readonly clock: string; readonly weekday: number } => {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(zone, clock);
  const [day, time] = clock.format(at).split(' ') as [string, string];
  return { clock: time.slice(0, 'hh:mm'.length), weekday: new Date(`${day}T00:00:00Z`).getUTCDay() };
};

const isInSpan = (
  at: Date,
  { zone, weekdays, from = '00:00', until = '24:00' }: NonNullable<When['time']>,
) => {
  const { clock, weekday } = localTime(at, zone);
  const begins = (day: number) => weekdays === undefined || weekdays.includes(WEEKDAYS[day]!);
  if (from < until) return begins(weekday) && clock >= from && clock < until;
  return (begins(weekday) && clock >= from) || (begins((weekday + 6) % 7) && clock < until);
};

const groupsOf = (half = ''): readonly number[] =>
  half.split(':').flatMap((group) => {
    if (!group.includes('.')) return group === '' ? [] : [Number.parseInt(group, 16)];
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  });

const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  const [before, behind] = address.split('::').map(groupsOf) as [readonly number[], (readonly number[])?];
  const zeros = Array<number>(8 - before.length - (behind?.length ?? 0)).fill(0);
  const groups = [...before, ...zeros, ...(behind ?? [])];
  const isIpv4 = groups.slice(0, 6).join() === [0, 0, 0, 0, 0, 0xffff].join();
  if (isIpv4)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16).padStart(4, '0'))
    .join('');
};

const placeOf = ({ address, userAgent }: Visit, rule: string): number => {
  const visitor = [networkOf(address), userAgent.slice(0, USER_AGENT_MAX), rule].join('\0');
  return (createHash('sha256').update(visitor).digest().readUInt32BE() / 2 ** 32) * 100;
};

/** Each condition in the order of the page. */
const HOLDS: {
  readonly [K in keyof When]-?: (wanted: NonNullable<When[K]>, visit: Visit, rule: string) => boolean;
} = {
  date: ({ from, until }, { at }) =>
    (from === undefined || at.getTime() >= Date.parse(from)) &&
    (until === undefined || at.getTime() < Date.parse(until)),
  time: (wanted, { at }) => isInSpan(at, wanted),
  query: (wanted, { query }) => {
    const sent = new URLSearchParams(query);
    return Object.entries(wanted).every(([name, values]) =>
      values.length === 0 ? sent.has(name) : sent.getAll(name).some((value) => values.includes(value)),
    );
  },
  language: (wanted, { acceptLanguage }) =>
    mostWanted(acceptLanguage).some((language) => wanted.some((entry) => isBelow(language, entry))),
  device: (wanted, { device }) => device !== null && wanted.includes(device),
  country: (wanted, { country }) => wanted.includes(country),
  region: (wanted, { region }) => wanted.includes(region),
  city: (wanted, { city }) => wanted.some((one) => one.toLowerCase() === city.toLowerCase()),
  share_percent: (wanted, visit, rule) => placeOf(visit, rule) < wanted,
  visit: (wanted, { visit }) => visit === wanted,
};

const firstThatFails = ({ name, when }: Rule, visit: Visit): string | null => {
  for (const [condition, holds] of Object.entries(HOLDS)) {
    const wanted = when[condition as keyof When];
    // Each condition is asked with what belongs to it.
    if (wanted !== undefined && !(holds as (...asked: unknown[]) => boolean)(wanted, visit, name))
      return condition;
  }
  return null;
};

/** Asks rules one after another, up to the first that holds. */
export const askRules = (rules: readonly Rule[], visit: Visit): readonly Asked[] => {
  const asked: Asked[] = [];
  for (const rule of rules) {
    const condition = firstThatFails(rule, visit);
    asked.push({ rule: rule.name, condition });
    if (condition === null) break;
  }
  return asked;
};

type Visitor = Pick<Visit, 'address' | 'userAgent'> & { readonly link: string };

/** Remembers the last `max` visitors of links. */
export const createSeen = (max: number) => {
  const seen = new Set<string>();
  const keyOf = ({ link, address, userAgent }: Visitor): string =>
    [link, networkOf(address), userAgent.slice(0, USER_AGENT_MAX)].join('\0');
  return {
    has: (visitor: Visitor): boolean => seen.has(keyOf(visitor)),
    note(visitor: Visitor): void {
      seen.delete(keyOf(visitor));
      seen.add(keyOf(visitor));
      if (seen.size > max) seen.delete(seen.values().next().value!);
    },
  };
};
