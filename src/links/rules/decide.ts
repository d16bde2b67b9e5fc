/** Decides by which rule a visit is led. Reads nothing but what the visit says. */
import { hash } from 'node:crypto';
import type { ConditionName, Conditions, Rule } from '../../db/tables/rules/rule.ts';
import { isInRanges } from './languages.ts';
import { localTimeOf } from './local-time.ts';

/** What rules ask about a visit. In every text '' means "not known". */
export interface Facts {
  readonly atMs: number;
  device(): 'ios' | 'android' | 'desktop' | '';
  /** As `wantedLanguages` returns them. */
  languages(): readonly string[];
  /** ISO 3166-1, two letters in upper case. */
  country(): string;
  /** ISO 3166-2. */
  region(): string;
  /** Its English name. */
  city(): string;
  query(): URLSearchParams;
  /** The network and the user agent of the visitor, as `visitorKey` joins them. */
  visitor(): string;
  isFirst(): boolean;
}

/** A condition, ready to be asked. */
interface Condition {
  readonly name: ConditionName;
  holds(visit: Facts): boolean;
  /** What the visit has instead, in words. */
  found(visit: Facts): string;
}

/** A rule, ready to be asked. */
export interface ReadyRule {
  readonly name: string;
  readonly destination: string;
  readonly conditions: readonly Condition[];
}

/** Joins what tells visitors apart. @param network As `networkOf` returns it. */
export const visitorKey = (network: string, userAgent: string): string => `${network}\0${userAgent}`;

/** Returns where a visitor stands among those of a rule, from 0 to just below 100: the same place at every visit. */
export const placeOf = (visitor: string, rule: string): number =>
  (Number.parseInt(hash('sha256', `${visitor}\0${rule}`).slice(0, 8), 16) / 2 ** 32) * 100;

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const DAY_MINUTES = 1440;

const inTime = ({ zone, weekdays, from, until }: NonNullable<Conditions['time']>): Condition => {
  const days = new Set((weekdays ?? WEEKDAYS).map((day) => WEEKDAYS.indexOf(day)));
  const [start, end] = [minuteOf(from ?? '00:00'), until === undefined ? DAY_MINUTES : minuteOf(until)];
  return {
    name: 'time',
    holds: ({ atMs }) => {
      const { minute, weekday } = localTimeOf(atMs, zone);
      if (start < end) return minute >= start && minute < end && days.has(weekday);
      // The span goes past midnight; its later part belongs to the day before.
      return minute >= start ? days.has(weekday) : minute < end && days.has((weekday + 6) % 7);
    },
    found: ({ atMs }) => {
      const { minute, weekday } = localTimeOf(atMs, zone);
      const two = (number: number) => String(number).padStart(2, '0');
      return `${WEEKDAYS[weekday]} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
    },
  };
};

const inDate = ({ from, until }: NonNullable<Conditions['date']>): Condition => {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  return {
    name: 'date',
    holds: ({ atMs }) => atMs >= fromMs && atMs < untilMs,
    found: ({ atMs }) => new Date(atMs).toISOString(),
  };
};

const hasQuery = (wanted: NonNullable<Conditions['query']>): Condition => {
  const entries = Object.entries(wanted);
  const lacks = (query: URLSearchParams, name: string, values: readonly string[]): boolean =>
    values.length === 0 ? !query.has(name) : !query.getAll(name).some((value) => values.includes(value));
  return {
    name: 'query',
    holds: (visit) => {
      const query = visit.query();
      return !entries.some(([name, values]) => lacks(query, name, values));
    },
    found: (visit) => visit.query().toString(),
  };
};

const isOneOf = (
  name: ConditionName,
  values: readonly string[],
  found: (visit: Facts) => string,
): Condition => ({
  name,
  holds: (visit) => values.includes(found(visit)),
  found,
});

/** How names of cities are compared. */
const foldCity = (name: string): string => name.normalize('NFC').toLowerCase();

/** The conditions of a rule, those that cost least first. */
const conditionsOf = (rule: string, when: Conditions): readonly Condition[] => {
  const all: Condition[] = [];
  if (when.date !== undefined) all.push(inDate(when.date));
  if (when.time !== undefined) all.push(inTime(when.time));
  if (when.query !== undefined) all.push(hasQuery(when.query));
  if (when.language !== undefined) {
    const ranges = when.language.map((tag) => tag.toLowerCase());
    all.push({
      name: 'language',
      holds: (visit) => visit.languages().some((language) => isInRanges(language, ranges)),
      found: (visit) => visit.languages().join(', '),
    });
  }
  if (when.device !== undefined) all.push(isOneOf('device', when.device, (visit) => visit.device()));
  if (when.country !== undefined) all.push(isOneOf('country', when.country, (visit) => visit.country()));
  if (when.region !== undefined) all.push(isOneOf('region', when.region, (visit) => visit.region()));
  if (when.city !== undefined) {
    const cities = when.city.map(foldCity);
    all.push({
      name: 'city',
      holds: (visit) => cities.includes(foldCity(visit.city())),
      found: (visit) => visit.city(),
    });
  }
  const { share_percent: percent, visit: wanted } = when;
  if (percent !== undefined) {
    all.push({
      name: 'share_percent',
      holds: (visit) => placeOf(visit.visitor(), rule) < percent,
      found: (visit) => placeOf(visit.visitor(), rule).toFixed(2),
    });
  }
  if (wanted !== undefined) {
    const found = (visit: Facts) => (visit.isFirst() ? 'first' : 'later');
    all.push(isOneOf('visit', [wanted], found));
  }
  return all;
};

/** Makes rules ready to be asked. */
export const readyRules = (rules: readonly Rule[]): readonly ReadyRule[] =>
  rules.map(({ name, when, destination }) => ({ name, destination, conditions: conditionsOf(name, when) }));

/** Whether a rule asks if a visitor was here before. */
export const asksForVisitors = (rules: readonly ReadyRule[]): boolean =>
  rules.some(({ conditions }) => conditions.some(({ name }) => name === 'visit'));

/** Returns the first rule whose conditions all hold; `null`: none, so the link leads to its destination. */
export const decide = (rules: readonly ReadyRule[], visit: Facts): ReadyRule | null => {
  for (const rule of rules) if (rule.conditions.every((condition) => condition.holds(visit))) return rule;
  return null;
};

/** What became of one rule. */
export interface Tried {
  readonly rule: string;
  /** The first condition that does not hold; `null`: all hold. */
  readonly failed: { readonly condition: ConditionName; readonly found: string } | null;
}

/** Returns what becomes of each rule, up to the one that leads the visit. */
export const explain = (rules: readonly ReadyRule[], visit: Facts): readonly Tried[] => {
  const tried: Tried[] = [];
  for (const { name, conditions } of rules) {
    const failed = conditions.find((condition) => !condition.holds(visit));
    if (failed === undefined) return [...tried, { rule: name, failed: null }];
    tried.push({ rule: name, failed: { condition: failed.name, found: failed.found(visit) } });
  }
  return tried;
};
