/** Dates, which cells store as day counts with a date format. */

/** Built-in date and time formats (ECMA-376, 18.8.30), including those of East Asian languages. */
const isBuiltIn = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Whether a format shows numbers as dates or times. @param code Its definition; without one, the id decides. */
export const isDateFormat = (id: number, code: string | undefined): boolean =>
  code === undefined ? isBuiltIn(id) : /[ymdhs]/i.test(code.replace(/"[^"]*"?|\\.|\[[^\]]*\]?|_.|\*./g, ''));

const DAY_S = 86_400;
/** 31 December 9999. */
const DAY_MAX = 2_958_465;
/** Days between the epochs of the 1900 and the 1904 date systems. */
const TO_1904 = 1462;
/** The 1900 date system has a 29 February 1900, which never existed. */
const LEAP_FAULT = 60;

const dayText = (day: number): string => {
  if (day === LEAP_FAULT) return '1900-02-29';
  const firstDay = day < LEAP_FAULT ? Date.UTC(1899, 11, 31) : Date.UTC(1899, 11, 30);
  return new Date(firstDay + day * DAY_S * 1000).toISOString().slice(0, 10);
};

/** Converts a day count to ISO 8601: a date, a date with a time, or a time; `null` when it is not valid. */
export const toIsoDate = (days: number, is1904: boolean): string | null => {
  const seconds = Math.round((is1904 ? days + TO_1904 : days) * DAY_S);
  const day = Math.floor(seconds / DAY_S);
  if (!(day >= 0 && day <= DAY_MAX)) return null;
  const time = new Date((seconds - day * DAY_S) * 1000).toISOString().slice(11, 19);
  if (day === 0) return time;
  return time === '00:00:00' ? dayText(day) : `${dayText(day)}T${time}`;
};
