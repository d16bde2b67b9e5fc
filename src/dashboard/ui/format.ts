/** Numbers and times in the reader's own locale. */
import { LOCALE, say } from '../words/say.ts';

const numbers = new Intl.NumberFormat(LOCALE);
const plurals = new Intl.PluralRules(LOCALE);

/** Returns what writes ISO 8601 times, in the reader's time zone unless one is named. */
const timeFormat = (options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>();
  return (iso: string, timeZone?: string): string => {
    const format = formats.get(timeZone) ?? new Intl.DateTimeFormat(LOCALE, { ...options, timeZone });
    formats.set(timeZone, format);
    return format.format(new Date(iso));
  };
};

/** Writes a number with the locale's separators. */
export const formatNumber = (value: number): string => numbers.format(value);
const formOf = (value: number, one: string, many: string): string =>
  plurals.select(value) === 'one' ? one : many;
/** Returns the noun of a number, `code` or `codes`. Both are words as those of `say`. */
export const unitOf = formOf;
/** Writes a number with its noun, `1 code` or `2 codes`. */
export const count = (value: number, one: string, many: string): string =>
  `${formatNumber(value)} ${formOf(value, one, many)}`;
/** Writes the date of an ISO 8601 time. */
export const formatDay = timeFormat({ dateStyle: 'medium' });
/** Writes the month of an ISO 8601 time. */
export const formatMonth = timeFormat({ month: 'long', year: 'numeric' });
/** Writes a time in the reader's time zone as inputs take it: `YYYY-MM-DDTHH:MM`, whose first ten characters are the day. */
export const toInputTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
/** Writes the date and time of an ISO 8601 time. */
export const formatMoment = timeFormat({ dateStyle: 'medium', timeStyle: 'short' });

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;
const sizes = UNITS.map(
  (unit) => new Intl.NumberFormat(LOCALE, { style: 'unit', unit, maximumSignificantDigits: 3 }),
);

/** Writes a number of bytes in the largest fitting unit, for example `34.2 MB`. */
export const formatSize = (bytes: number): string => {
  if (bytes < 1000) return count(bytes, 'byte', 'bytes');
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  return (sizes[power - 1] as Intl.NumberFormat).format(bytes / 1000 ** power);
};

/** Writes a time span in one or two units, for example `45 s`, `3 min` or `1 h 20 min`. */
export const formatDuration = (seconds: number): string => {
  if (seconds < 90) return `${formatNumber(Math.max(1, Math.round(seconds)))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return say('{minutes} min', { minutes });
  const rest = minutes % 60;
  return `${formatNumber((minutes - rest) / 60)} h${rest === 0 ? '' : ` ${say('{rest} min', { rest })}`}`;
};

const shares = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 0 });
/** Writes a share from 0 to 1 in percent, rounded down: only all of it is 100 %, and less than one is `< 1%`. */
export const percent = (share: number): string =>
  share > 0 && share < 0.01 ? `< ${shares.format(0.01)}` : shares.format(Math.floor(share * 100) / 100);

const exactShares = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 2 });
/** Writes a share that a person has chosen, such as `33.3%`. */
export const exactPercent = (share: number): string => exactShares.format(share);

const changes = new Intl.NumberFormat(LOCALE, {
  ...{ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 },
});
/** With more than this many times as much, there was nearly nothing before. */
const TIMES_MAX = 10;
/** Writes how a number differs from that before: `+12%, 190 before`, or `from 4 to 215` where that was nearly nothing. */
export const formatDifference = (now: number, before: number): string => {
  if (now > TIMES_MAX * before) return say('from {before} to {now}', { before, now });
  const said = say('{before} before', { before });
  return before === 0 ? said : `${changes.format(now / before - 1)}, ${said}`;
};

const DAY_S = 86_400;

/**
 * Writes the labels of an axis: within days times, with the day at midnight; otherwise days; and months where the marks
 * are months apart, with the year in January.
 *
 * @param marks Seconds since 1970.
 * @param stepS Seconds from a mark to the next.
 * @param timeZone Absent: the reader's own.
 */
export const timeMarks = (
  marks: readonly number[],
  stepS: number,
  timeZone?: string,
  locale = LOCALE,
): string[] => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const day = format({ day: 'numeric', month: 'short' });
  const month = format({ month: 'short' });
  const monthOfYear = format({ month: 'short', year: 'numeric' });
  const numbers = format({
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const partOf = (at: Date, type: 'month' | 'day' | 'hour' | 'minute'): number =>
    Number.parseInt(numbers.formatToParts(at).find((part) => part.type === type)?.value ?? '', 10);

  return marks.map((second) => {
    const at = new Date(second * 1000);
    if (stepS >= 28 * DAY_S) return (partOf(at, 'month') === 1 ? monthOfYear : month).format(at);
    const isMidnight = partOf(at, 'hour') === 0 && partOf(at, 'minute') === 0;
    return (stepS >= DAY_S || isMidnight ? day : time).format(at);
  });
};
