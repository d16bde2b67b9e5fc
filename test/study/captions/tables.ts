/** The tables that `npm run study:captions` prints. */
import { say, show, tableOf } from '../../../bench/say.ts';
import { type Judgement, READERS, type Sight } from './judge.ts';

const SIGHTS: readonly (readonly [Sight, string])[] = [
  ['read', 'both'],
  ['missed', 'neither'],
  ['gained', 'with words only'],
  ['moved', 'not in a larger picture'],
  ['lost', 'not with words'],
];

const GRADES = [4, 3, 2, 1, 0];

/** Counts texts. */
const countsOf = (all: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
};

/** Prints what became of cases: by format, and by grade and reader. */
export const printTables = (judgements: readonly Judgement[]): void => {
  const formats = [...new Set(judgements.map(({ format }) => format))].sort();
  const of = (format: string) => judgements.filter((one) => one.format === format);
  const isDrawn = ({ refused }: Judgement): boolean => refused === null;
  show(
    tableOf(formats, [
      ['format', (format) => format],
      ['cases', (format) => of(format).length],
      ['drawn', (format) => of(format).filter(isDrawn).length],
      ['failed', (format) => of(format).filter(({ faults }) => faults.length > 0).length],
    ]),
  );
  const rows = GRADES.flatMap((grade) => READERS.map((reader) => ({ grade, reader })));
  show(
    tableOf(rows, [
      ['read', ({ grade, reader }) => `grade ${grade}, ${reader}`],
      ...SIGHTS.map(
        ([sight, words]) =>
          [
            words,
            ({ grade, reader }: (typeof rows)[number]) =>
              judgements.filter((one) => one.grade === grade && one.sights[reader] === sight).length,
          ] as const,
      ),
    ]),
  );
  const refused = countsOf(judgements.flatMap((one) => (one.refused === null ? [] : [one.refused])));
  say(`\nnot drawn: ${refused.map(([field, count]) => `${field} ${count}`).join(', ') || 'none'}`);
};
