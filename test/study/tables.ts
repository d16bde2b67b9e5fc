/** The tables that `npm run study` prints. */

import { percent, say, show, tableOf } from '../../bench/say.ts';
import { mean, sum } from '../../bench/stats.ts';
import type { ParameterName } from '../../workers/lists.ts';
import { CONDITIONS } from './conditions.ts';
import type { Graded } from './read.ts';

/** Returns the ranks of values, where equal values share their mean rank. */
const ranksOf = (values: readonly number[]): number[] =>
  values.map(
    (value) =>
      values.filter((other) => other < value).length +
      (values.filter((other) => other === value).length - 1) / 2,
  );

/** Returns Spearman's rank correlation, which is Pearson's correlation of the ranks. NaN when all values are equal. */
export const spearman = (one: readonly number[], other: readonly number[]): number => {
  const middle = (one.length - 1) / 2;
  const [a, b] = [one, other].map((values) => ranksOf(values).map((rank) => rank - middle)) as [
    number[],
    number[],
  ];
  const product = (x: readonly number[], y: readonly number[]) => sum(x.map((rank, i) => rank * y[i]!));
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
};

type Some = readonly Graded[];

const share = (flags: readonly boolean[]): string => percent(mean(flags.map(Number)));

/** Returns the share of successful readings of a design over all readers and conditions. */
const readShare = ({ reads }: Graded): number => mean(Object.values(reads).flat().map(Number));
const read = (some: Some): string => percent(mean(some.map(readShare)));
const sharpByAll = (some: Some): string =>
  share(some.map(({ reads }) => Object.values(reads).every(([first]) => first)));

/** For designs in which this parameter alone is the lowest: how many there are, and the success of readers. */
const alone = (all: Some, name: ParameterName, grade: number): string => {
  const some = all.filter(({ quality: { parameters } }) =>
    Object.entries(parameters).every(([other, its]) => its === (other === name ? grade : 4)),
  );
  return some.length === 0 ? '' : `${some.length}: ${sharpByAll(some)} ${read(some)}`;
};

/** Prints all tables of some designs. */
export const printTables = (title: string, all: Some): void => {
  const readers = Object.keys(all[0]!.reads);
  const shares = all.map(readShare);
  const correlation = (of: (one: Graded) => number): number => spearman(all.map(of), shares);
  const ofGrade = (grade: number): Some => all.filter(({ quality }) => quality.grade === grade);
  say(`\n${title}: ${all.length} designs, ${readers.length} readers, ${CONDITIONS.length} conditions`);
  say(`rank correlation of grade and share read: ${correlation(({ quality }) => quality.grade).toFixed(3)}`);
  show(
    tableOf(
      [4, 3, 2, 1, 0].map((grade) => ({ grade, some: ofGrade(grade) })),
      [
        ['', ({ grade }) => `grade ${grade}`],
        ['designs', ({ some }) => some.length],
        ['read', ({ some }) => read(some)],
        ['all read it sharp', ({ some }) => sharpByAll(some)],
        ...readers.map(
          (reader) =>
            [
              `sharp: ${reader}`,
              ({ some }: { some: Some }) => share(some.map(({ reads }) => reads[reader]![0]!)),
            ] as const,
        ),
      ],
    ),
  );
  show(
    tableOf(Object.keys(all[0]!.quality.parameters) as ParameterName[], [
      ['lowest alone (designs: all read it sharp, read)', (name) => name],
      ...[3, 2, 1, 0].map(
        (grade) => [String(grade), (name: ParameterName) => alone(all, name, grade)] as const,
      ),
      ['correlation', (name) => correlation(({ quality }) => quality.parameters[name]).toFixed(2)],
    ]),
  );
  show(
    tableOf(
      [...CONDITIONS.entries()],
      [
        ['grade 4', ([, { name }]) => name],
        ...readers.map(
          (reader) =>
            [
              reader,
              ([i]: readonly [number, unknown]) => share(ofGrade(4).map(({ reads }) => reads[reader]![i]!)),
            ] as const,
        ),
      ],
    ),
  );
};
