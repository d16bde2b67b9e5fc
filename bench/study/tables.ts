/** The tables that `npm run study` prints. */
import type { ParameterName } from '../../workers/lists.ts';
import { percent, say, show, tableOf } from '../say.ts';
import { mean } from '../stats.ts';
import { CONDITIONS } from './conditions.ts';
import { spearman } from './correlation.ts';
import type { Graded } from './read.ts';

type Some = readonly Graded[];
type Column<T> = readonly [head: string, cell: (one: T) => string | number];

const share = (flags: readonly boolean[]): number => mean(flags.map(Number));
const readersOf = (all: Some): readonly string[] => Object.keys(all[0]?.reads ?? {});
const parametersOf = ({ quality }: Graded) => Object.entries(quality.parameters) as [ParameterName, number][];

/** Returns the share of successful readings of a design over all readers and conditions. */
const readShare = ({ reads }: Graded): number => mean(Object.values(reads).map(share));
const sharpBy = (some: Some, reader: string): string =>
  percent(share(some.map(({ reads }) => reads[reader]![0]!)));
const sharpByAll = (some: Some): string =>
  percent(share(some.map(({ reads }) => Object.values(reads).every(([first]) => first))));
const read = (some: Some): string => percent(mean(some.map(readShare)));

/** Whether all parameters but `others` have the best grade. */
const isBestBut = (one: Graded, others: readonly ParameterName[]): boolean =>
  parametersOf(one).every(([name, grade]) => others.includes(name) || grade === 4);

/** A column for each reader. */
const byReader = <T>(
  all: Some,
  cell: (one: T, reader: string) => string,
  prefix = '',
): readonly Column<T>[] => readersOf(all).map((reader) => [prefix + reader, (one) => cell(one, reader)]);

/** Prints all tables of some designs. */
export function printTables(title: string, all: Some): void {
  say(`\n${title}: ${all.length} designs, ${readersOf(all).length} readers, ${CONDITIONS.length} conditions`);
  const grades = all.map(({ quality }) => quality.grade);
  say(`rank correlation of grade and share read: ${spearman(grades, all.map(readShare)).toFixed(3)}`);
  for (const showOne of [showGrades, showParameters, showFinders, showCovers, showConditions]) showOne(all);
}

function showGrades(all: Some): void {
  const groups = [4, 3, 2, 1, 0].map((grade) => ({
    name: `grade ${grade}`,
    some: all.filter(({ quality }) => quality.grade === grade),
  }));
  show(
    tableOf(groups, [
      ['', ({ name }) => name],
      ['designs', ({ some }) => some.length],
      ['read', ({ some }) => read(some)],
      ['all read it sharp', ({ some }) => sharpByAll(some)],
      ...byReader(all, ({ some }: { some: Some }, reader) => sharpBy(some, reader), 'sharp: '),
    ]),
  );
}

/** For designs in which this parameter alone is the lowest: the success of readers by its grade. */
function showParameters(all: Some): void {
  const names = Object.keys(all[0]?.quality.parameters ?? {}) as ParameterName[];
  const cellOf = (name: ParameterName, grade: number): string => {
    const some = all.filter((one) => one.quality.parameters[name] === grade && isBestBut(one, [name]));
    return some.length === 0 ? '' : `${some.length}: ${sharpByAll(some)} ${read(some)}`;
  };
  const correlationOf = (name: ParameterName): string =>
    spearman(
      all.map(({ quality }) => quality.parameters[name]),
      all.map(readShare),
    ).toFixed(2);
  show(
    tableOf(names, [
      ['lowest alone (designs: all read it sharp, read)', (name) => name],
      ...[3, 2, 1, 0].map((grade): Column<ParameterName> => [String(grade), (name) => cellOf(name, grade)]),
      ['correlation', correlationOf],
    ]),
  );
}

function showFinders(all: Some): void {
  const groups = new Map<string, Graded[]>();
  for (const one of all.filter((one) => isBestBut(one, ['finder-centre', 'finder-ring', 'red-light']))) {
    const { cornersSquare, cornersDot, dots } = one.specimen.design;
    const name = `${cornersSquare.type} / ${cornersDot.type}${dots.roundSize ? '' : ' crisp'}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const inAll = (some: Some, reader: string) => percent(mean(some.map(({ reads }) => share(reads[reader]!))));
  show(
    tableOf([...groups].sort(), [
      ['ring / centre', ([name]) => name],
      ['designs', ([, some]) => some.length],
      ['grade', ([, some]) => mean(some.map(({ quality }) => quality.grade)).toFixed(1)],
      ['read', ([, some]) => read(some)],
      ...byReader(
        all,
        ([, some]: [string, Graded[]], reader) => `${sharpBy(some, reader)} -> ${inAll(some, reader)}`,
      ),
    ]),
  );
}

function showCovers(all: Some): void {
  const logos = all.filter(
    (one) => one.specimen.logo !== null && isBestBut(one, ['logo-damage', 'fixed-patterns', 'red-light']),
  );
  const steps = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, Number.POSITIVE_INFINITY];
  const groups = steps.map((to, i) => ({
    to,
    some: logos.filter(({ quality: { figures } }) => {
      const cover = figures['logo-damage'] ?? 0;
      return cover > (steps[i - 1] ?? -1) && cover <= to;
    }),
  }));
  show(
    tableOf(groups, [
      ['logos, all else 4', ({ to }) => `cover <= ${to}`],
      ['designs', ({ some }) => some.length],
      ['read', ({ some }) => read(some)],
      ['all read it sharp', ({ some }) => sharpByAll(some)],
      ...byReader(all, ({ some }: { some: Some }, reader) => sharpBy(some, reader)),
    ]),
  );
}

function showConditions(all: Some): void {
  const best = all.filter(({ quality }) => quality.grade === 4);
  show(
    tableOf(
      CONDITIONS.map(({ name }, i) => ({ name, i })),
      [
        ['grade 4', ({ name }) => name],
        ...byReader(all, ({ i }: { i: number }, reader) =>
          percent(share(best.map(({ reads }) => reads[reader]![i]!))),
        ),
      ],
    ),
  );
}
