/** The words at the axis of time: one short line each, without a year that hangs below the first of them. */

const DAY_S = 86_400;

/**
 * Writes the labels of an axis: within days times, with the day at midnight; otherwise days; and months where the marks
 * are months apart, with the year in January.
 *
 * @param marks Seconds since 1970.
 * @param stepS Seconds from a mark to the next.
 */
export const timeMarks = (
  marks: readonly number[],
  stepS: number,
  isUtc: boolean,
  locale?: string,
): string[] => {
  const zone = isUtc ? { timeZone: 'UTC' } : {};
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, ...zone });
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
