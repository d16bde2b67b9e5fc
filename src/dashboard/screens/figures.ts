/** Answers about usage as lines. */
import type { UsageHistory } from '../api/shapes.ts';
import { say } from '../words/say.ts';

interface UsageLine {
  readonly name: string;
  /** Units, one number for each start. */
  readonly values: readonly number[];
}

/** More lines than this cannot be told apart: the smallest become one. */
export const LINES_MAX = 6;
/** The name of the line that sums up the smallest. */
export const OTHERS = say('Others');

const HOUR_MS = 3_600_000;

const KINDS = {
  single: say('Single codes'),
  code: say('Saved codes'),
  bulk: say('Bulk calls'),
  image: say('Embedded pictures'),
  batch: say('Batches'),
} as const satisfies Record<NonNullable<UsageHistory['data'][number]['kind']>, string>;

const nameOf = ({ key, kind }: UsageHistory['data'][number]): string => {
  if (kind !== undefined) return KINDS[kind];
  if (key === undefined) return say('Units');
  return key.name === null ? key.id : `${key.name} (${key.prefix})`;
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Returns the beginnings of all hours, days or months of an answer, the empty ones included. */
export const startsOf = ({ from, to, interval }: UsageHistory): readonly string[] => {
  const starts: string[] = [];
  for (const at = new Date(from); at < new Date(to); ) {
    starts.push(at.toISOString());
    if (interval === 'month') at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setTime(at.getTime() + (interval === 'hour' ? HOUR_MS : 24 * HOUR_MS));
  }
  return starts;
};

/** Returns a line for each key or kind of an answer, the one with the most units first, and `OTHERS` last. */
export const linesOf = (history: UsageHistory): readonly UsageLine[] => {
  const starts = startsOf(history);
  const places = new Map(starts.map((start, index) => [start, index]));
  const lines = new Map<string, number[]>();
  for (const row of history.data) {
    const name = nameOf(row);
    const values = lines.get(name) ?? starts.map(() => 0);
    lines.set(name, values);
    const place = places.get(row.from);
    if (place !== undefined) values[place] = (values[place] ?? 0) + row.units;
  }
  const sorted = [...lines]
    .map(([name, values]) => ({ name, values }))
    .sort((a, b) => sum(b.values) - sum(a.values));
  if (sorted.length <= LINES_MAX) return sorted;
  const small = sorted.slice(LINES_MAX - 1);
  const others = starts.map((_, index) => sum(small.map(({ values }) => values[index] ?? 0)));
  return [...sorted.slice(0, LINES_MAX - 1), { name: OTHERS, values: others }];
};
