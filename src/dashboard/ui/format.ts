/** Numbers and times in the reader's own locale. */

const numbers = new Intl.NumberFormat();
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const utcDates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Writes a number with the locale's separators. */
export const number = (value: number): string => numbers.format(value);
/** Writes a number with its noun, `1 code` or `2 codes`. `many` is the plural when it is not formed with an s. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;
/** Writes the date of an ISO 8601 time. */
export const day = (iso: string): string => dates.format(new Date(iso));
/** Writes the date in UTC of an ISO 8601 time. */
export const utcDay = (iso: string): string => utcDates.format(new Date(iso));
/** Writes the date and time of an ISO 8601 time. */
export const moment = (iso: string): string => times.format(new Date(iso));
