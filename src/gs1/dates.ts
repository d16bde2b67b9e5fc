/** Checks of dates and times of day. */
import type { Problem } from './fault.ts';

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/**
 * Makes a check of dates. Years of two digits are in 51 years around the current one (GS1 General Specifications, 7.12),
 * in which every fourth year is a leap year.
 *
 * @param mayBeMonth Whether the day 00 is allowed, which leaves the day open.
 */
export const findDayProblem =
  (form: 'YYMMDD' | 'YYYYMMDD', mayBeMonth: boolean) =>
  (text: string): Problem | null => {
    const digits = form.length - 4;
    const month = Number(text.slice(digits, digits + 2));
    const day = Number(text.slice(digits + 2));
    if (month < 1 || month > 12) {
      return {
        offset: digits,
        message: `month ${text.slice(digits, digits + 2)} does not exist: write ${form}`,
      };
    }
    if (day === 0) {
      if (mayBeMonth) return null;
      return { offset: digits + 2, message: 'the day must not be 00 here: write the day' };
    }
    const year = Number(text.slice(0, digits)) + (digits === 2 ? 2000 : 0);
    const days = month === 2 && isLeap(year) ? 29 : DAYS[month - 1]!;
    if (day <= days) return null;
    return { offset: digits + 2, message: `day ${day} does not exist in that month: write ${form}` };
  };

const LAST = { hour: 23, minute: 59, second: 59 } as const;

/** Makes a check of parts of a time of day, of two digits each. */
export const findTimeProblem =
  (parts: readonly (keyof typeof LAST)[]) =>
  (text: string): Problem | null => {
    for (const [i, part] of parts.entries()) {
      const offset = 2 * i;
      if (Number(text.slice(offset, offset + 2)) > LAST[part]) {
        return { offset, message: `the ${part} must be 00 to ${LAST[part]}` };
      }
    }
    return null;
  };
