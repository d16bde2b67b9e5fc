/** Decides by rules as docs/api/link-rules.md says, and knows nothing of how the service does it. */
import { createHash } from 'node:crypto';
import type { Rule } from '../../src/db/tables/rules/rule.ts';

/** A visit as the page speaks of it. */
export interface ModelVisit {
  readonly at: Date;
  readonly userAgent: string;
  /** What a person would call the device that has this user agent. */
  readonly device: 'ios' | 'android' | 'desktop' | null;
  readonly acceptLanguage: string;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly network: string;
  readonly visit: 'first' | 'later';
}

const wantsMost = (header: string): readonly string[] => {
  if (header.length > 1000) return [];
  const listed = header.split(',').flatMap((element) => {
    const [language = '', ...parameters] = element.split(';').map((part) => part.trim());
    if (!/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(language) || parameters.length > 1) return [];
    const [parameter = 'q=1'] = parameters;
    if (!/^[qQ]=(0(\.[0-9]{0,3})?|1(\.0{0,3})?)$/.test(parameter)) return [];
    return [{ language: language.toLowerCase(), q: Number(parameter.slice(2)) }];
  });
  const most = Math.max(0, ...listed.map(({ q }) => q));
  return most === 0 ? [] : listed.filter(({ q }) => q === most).map(({ language }) => language);
};

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The weekday and the time of day by the clock on a wall. */
const onWall = (at: Date, zone: string): { readonly day: number; readonly clock: string } => {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = (DAYS as readonly string[]).indexOf(parts.weekday!.toLowerCase());
  return { day, clock: `${parts.hour}:${parts.minute}` };
};

const inTime = (
  at: Date,
  { zone, weekdays, from = '00:00', until = '24:00' }: NonNullable<Rule['when']['time']>,
) => {
  const { day, clock } = onWall(at, zone);
  const begins = (on: number) => weekdays === undefined || weekdays.includes(DAYS[(on + 7) % 7]!);
  if (from < until) return begins(day) && clock >= from && clock < until;
  return (begins(day) && clock >= from) || (begins(day - 1) && clock < until);
};

const placeIn = ({ network, userAgent }: ModelVisit, rule: string): number => {
  const text = [network, userAgent.slice(0, 512), rule].join('\0');
  return (createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32) * 100;
};

const HOLDS: {
  readonly [Name in keyof Rule['when']]-?: (
    wanted: NonNullable<Rule['when'][Name]>,
    visit: ModelVisit,
    rule: string,
  ) => boolean;
} = {
  device: (list, { device }) => device !== null && list.includes(device),
  language: (list, { acceptLanguage }) =>
    wantsMost(acceptLanguage).some((wanted) =>
      list.some((entry) => `${wanted}-`.startsWith(`${entry.toLowerCase()}-`)),
    ),
  country: (list, { country }) => list.includes(country),
  region: (list, { region }) => list.includes(region),
  city: (list, { city }) => list.some((name) => name.toLowerCase() === city.toLowerCase()),
  query: (wanted, { query }) =>
    Object.entries(wanted).every(([name, values]) =>
      query.some((each) => each[0] === name && (values.length === 0 || values.includes(each[1]))),
    ),
  time: (wanted, { at }) => inTime(at, wanted),
  date: ({ from, until }, { at }) =>
    (from === undefined || at >= new Date(from)) && (until === undefined || at < new Date(until)),
  visit: (wanted, { visit }) => wanted === visit,
  share_percent: (percent, visit, rule) => placeIn(visit, rule) < percent,
};

/** Returns the name of the rule that leads a visit; `null`: none does. */
export const modelRule = (rules: readonly Rule[], visit: ModelVisit): string | null => {
  const fits = ({ name, when }: Rule) =>
    Object.entries(when).every(([condition, wanted]) =>
      (HOLDS[condition as keyof typeof HOLDS] as (...given: unknown[]) => boolean)(wanted, visit, name),
    );
  return rules.find(fits)?.name ?? null;
};
