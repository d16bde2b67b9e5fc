/** Numbers and times as the reader's own locale writes them. */
const numbers = new Intl.NumberFormat();
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export const number = (value: number): string => numbers.format(value);
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`;
export const day = (iso: string): string => dates.format(new Date(iso));
export const moment = (iso: string): string => times.format(new Date(iso));
