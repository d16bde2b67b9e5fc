/** Measured values and their limits. Pure. */
import { figure, type Table, tableOf } from './say.ts';

/** A measured value, and its limit if it has one. */
export interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** `null` when the value has no limit. */
  readonly limit: number | null;
  readonly isMet: boolean;
}

/** Returns a verdict that is met when `value` does not exceed `limit`, if it has one. */
export const atMost = (what: string, value: number, limit: number | null, unit: string): Verdict => ({
  ...{ what, value, limit, unit },
  isMet: limit === null || value <= limit,
});
/** Returns a value without a limit. */
export const measured = (what: string, value: number, unit: string): Verdict =>
  atMost(what, value, null, unit);
/** Returns a verdict that is met when `value` reaches `limit`. */
export const atLeast = (what: string, value: number, limit: number, unit: string): Verdict => ({
  ...{ what, value, limit, unit },
  isMet: value >= limit,
});

const withUnit = (value: number, unit: string): string => `${figure(value)} ${unit}`.trim();

/** Prints values and limits, and marks the missed ones. */
export const verdictTable = (title: string, verdicts: readonly Verdict[]): Table =>
  tableOf(verdicts, [
    [title, ({ what }) => what],
    ['measured', ({ value, unit }) => withUnit(value, unit)],
    ['wanted', ({ limit, unit }) => (limit === null ? '' : withUnit(limit, unit))],
    ['', ({ limit, isMet }) => (limit === null ? '' : isMet ? 'met' : 'MISSED')],
  ]);
