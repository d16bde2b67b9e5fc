/** The days that a report of scans is about, those before them, and how they are divided. Days are `YYYY-MM-DD`. */
import { say } from '../../words/say.ts';

/** Days, without the last one. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The ranges that have names, in the order of their list; `days`: those that a person writes. */
export const RANGES = [
  ['today', say('Today')],
  ['yesterday', say('Yesterday')],
  ['7', say('Last 7 days')],
  ['30', say('Last 30 days')],
  ['month', say('This month')],
  ['last-month', say('Last month')],
  ['quarter', say('This quarter')],
  ['year', say('This year')],
  ['last-year', say('Last year')],
  ['days', say('From a day to a day')],
] as const;
export type RangeName = (typeof RANGES)[number][0];

const DAY_MS = 86_400_000;

const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 'YYYY-MM-DD'.length);

export const addDays = (day: string, days: number): string =>
  dayOf(new Date(dateOf(day).getTime() + days * DAY_MS));

/** Returns the first day of the months, counted from January, in which a day is. */
const beginningOf = (day: string, months: number): string => {
  const date = dateOf(day);
  return dayOf(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - (date.getUTCMonth() % months))));
};

/** Returns the same day some months earlier, or the last day of a month that has no such day. */
const monthsBefore = (day: string, months: number): string => {
  const date = dateOf(day);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  return dayOf(new Date(first.getTime() + (Math.min(date.getUTCDate(), last.getUTCDate()) - 1) * DAY_MS));
};

/** Returns today in a time zone. */
export const todayIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date());

/** How many months a range is long. */
const MONTHS: Partial<Record<RangeName, number>> = {
  ...{ month: 1, 'last-month': 1, quarter: 3, year: 12, 'last-year': 12 },
};

/** Returns the days of a range. @param written Those of the range `days`, the last one included. */
export const daysOf = (range: RangeName, today: string, written: Days): Days => {
  const months = MONTHS[range];
  if (range === 'days') return { from: written.from, to: addDays(written.to, 1) };
  if (range === 'yesterday') return { from: addDays(today, -1), to: today };
  if (months === undefined) {
    const length = range === 'today' ? 1 : Number(range);
    return { from: addDays(today, 1 - length), to: addDays(today, 1) };
  }
  const begun = beginningOf(today, months);
  return range === 'last-month' || range === 'last-year'
    ? { from: monthsBefore(begun, months), to: begun }
    : { from: begun, to: addDays(today, 1) };
};

/** Returns the days with which a range is compared: the month before for a month, and as many days for as many. */
export const daysBefore = (range: RangeName, { from, to }: Days): Days => {
  const months = MONTHS[range];
  if (months === undefined) return { from: addDays(from, -lengthOf({ from, to })), to: from };
  const isWhole = to.endsWith('-01') && beginningOf(to, months) === to;
  return {
    from: monthsBefore(from, months),
    to: isWhole ? from : addDays(monthsBefore(addDays(to, -1), months), 1),
  };
};

/** Returns how many days these are. */
export const lengthOf = ({ from, to }: Days): number =>
  Math.round((dateOf(to).getTime() - dateOf(from).getTime()) / DAY_MS);

/** How the days of a chart are divided, and for how many days that is possible. */
const INTERVALS = [
  ['hour', say('Hour'), 45],
  ['day', say('Day'), 1100],
  ['month', say('Month'), 7320],
] as const;
export type Interval = (typeof INTERVALS)[number][0];

/** Returns how these days can be divided. */
export const intervalsOf = (days: Days) =>
  INTERVALS.filter(([, , daysMax]) => lengthOf(days) <= daysMax).map(
    ([value, name]) => [value, name] as const,
  );

const HOURS_UNTIL_DAYS = 2;
const DAYS_UNTIL_DAYS = 100;

/** Returns how these days are divided unless somebody says otherwise. */
export const usualInterval = (days: Days): Interval => {
  const length = lengthOf(days);
  if (length <= HOURS_UNTIL_DAYS) return 'hour';
  return length <= DAYS_UNTIL_DAYS ? 'day' : 'month';
};
