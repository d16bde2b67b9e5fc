/** Dates and times, which cells store as counts of days. */
import { ok, type Result, refused } from '../result.ts';

/** Which parts of a moment a number format shows. */
export interface MomentParts {
  readonly hasDate: boolean;
  readonly hasTime: boolean;
  /** Decimals of a second. */
  readonly decimals: number;
}

const DAY_S = 86_400;
/** 31 December 9999. */
const DAY_MAX = 2_958_465;
/** Days between the epochs of the 1900 and the 1904 date systems. */
const TO_1904 = 1462;
/** The 1900 date system has a 29 February 1900, which never existed. */
const LEAP_FAULT = 60;

const dayText = (day: number): string => {
  const firstDay = day < LEAP_FAULT ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
  return new Date(firstDay + day * DAY_S * 1000).toISOString().slice(0, 10);
};

const timeText = (units: number, decimals: number): string => {
  const scale = 10 ** decimals;
  const time = new Date(Math.floor(units / scale) * 1000).toISOString().slice(11, 19);
  return decimals === 0 ? time : `${time}.${String(units % scale).padStart(decimals, '0')}`;
};

/**
 * Converts a day count to the parts that its format shows, in ISO 8601. A date at midnight has no time.
 *
 * @returns Refused with what is wrong with it, as the end of a sentence.
 */
export const toIsoMoment = (
  days: number,
  is1904: boolean,
  { hasDate, hasTime, decimals }: MomentParts,
): Result<string, string> => {
  const dayUnits = DAY_S * 10 ** decimals;
  const units = Math.round((is1904 ? days + TO_1904 : days) * dayUnits);
  const day = Math.floor(units / dayUnits);
  if (!(day >= 0 && day <= DAY_MAX)) return refused('has a date or time that spreadsheets show as ####');
  const time = timeText(units - day * dayUnits, decimals);
  if (!hasDate) return ok(time);
  if (day === 0) return refused('has a date that does not exist, 0 January 1900; give it a format of times');
  if (day === LEAP_FAULT) return refused('has a date that does not exist, 29 February 1900');
  return ok(hasTime && units % dayUnits !== 0 ? `${dayText(day)}T${time}` : dayText(day));
};
