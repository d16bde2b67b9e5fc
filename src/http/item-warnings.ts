/** The header with the warnings of each item of a bulk call. */
import type { Graded } from '../generate/quality/graded.ts';

/** Clients and proxies accept 8 to 16 kB of headers in total. */
const MAX_BYTES = 4096;

const withoutFigures = (warnings: string): string => warnings.replace(/;v=[^,]*/g, '');

/** Returns ascending numbers as `0-2 5`. */
export const toRanges = (numbers: readonly number[]): string => {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(' ');
};

const toList = (items: readonly (Graded | null)[], word: (warnings: string) => string): readonly string[] => {
  const groups = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    if (item === null || item.warnings === '') continue;
    const warnings = word(item.warnings);
    groups.set(warnings, [...(groups.get(warnings) ?? []), index]);
  }
  return [...groups].map(
    ([warnings, indexes]) => `(${warnings.replaceAll(', ', ' ')});items="${toRanges(indexes)}"`,
  );
};

/**
 * Returns `Tessera-Item-Warnings`: an RFC 8941 list with an inner list of warnings for all items that have the same
 * ones, and those items, counted from 0: `(contrast;v=0.31);items="0-4 7"`. '' without warnings. At most 4,096 bytes: a
 * longer one loses the figures, and then the last groups.
 *
 * @param items `null` for one without a picture.
 */
export const itemWarnings = (items: readonly (Graded | null)[]): string => {
  const whole = toList(items, (warnings) => warnings).join(', ');
  if (whole.length <= MAX_BYTES) return whole;
  let header = '';
  for (const group of toList(items, withoutFigures)) {
    const longer = header === '' ? group : `${header}, ${group}`;
    if (longer.length > MAX_BYTES) break;
    header = longer;
  }
  return header;
};
