/** The tables that `npm run study` prints. */
import type { ParameterName } from '../../workers/protocol.ts';
import { percent, say, table } from '../say.ts';
import { mean } from '../stats.ts';
import { CONDITIONS } from './conditions.ts';
import { spearman } from './correlation.ts';
import type { Graded } from './read.ts';

const share = (flags: readonly boolean[]): number => mean(flags.map(Number));
const readersOf = (all: readonly Graded[]): readonly string[] => Object.keys(all[0]?.reads ?? {});

/** The share of all readings of a design, over all readers and conditions. */
export const readShare = ({ reads }: Graded): number => mean(Object.values(reads).map(share));

const sharpBy = ({ reads }: Graded, reader: string): boolean => reads[reader]![0]!;
const sharpByAll = (one: Graded): boolean => Object.values(one.reads).every((reads) => reads[0]);

/** Prints all tables of some designs. */
export function printTables(title: string, all: readonly Graded[]): void {
  say(`\n${title}: ${all.length} designs, ${readersOf(all).length} readers, ${CONDITIONS.length} conditions`);
  say(`rank correlation of grade and share read: ${correlationOf(all).toFixed(3)}\n`);
  say(gradeTable(all));
  say();
  say(parameterTable(all));
  say();
  say(finderTable(all));
  say();
  say(coverTable(all));
  say();
  say(conditionTable(all));
}

/** Returns Spearman's correlation of the grade with the share of readings. */
export const correlationOf = (all: readonly Graded[]): number =>
  spearman(
    all.map(({ quality }) => quality.grade),
    all.map(readShare),
  );

function gradeTable(all: readonly Graded[]): string {
  const readers = readersOf(all);
  const rows = [4, 3, 2, 1, 0].map((grade) => {
    const some = all.filter(({ quality }) => quality.grade === grade);
    return [
      `grade ${grade}`,
      String(some.length),
      percent(mean(some.map(readShare))),
      percent(share(some.map(sharpByAll))),
      ...readers.map((reader) => percent(share(some.map((one) => sharpBy(one, reader))))),
    ];
  });
  return table(['', 'designs', 'read', 'sharp by all', ...readers.map((name) => `sharp: ${name}`)], rows);
}

/** For designs whose lowest parameter is this one alone: what each of its grades means. */
function parameterTable(all: readonly Graded[]): string {
  const names = Object.keys(all[0]?.quality.parameters ?? {}) as ParameterName[];
  const rows = names.map((name) => {
    const cells = [3, 2, 1, 0].map((grade) => {
      const some = all.filter(
        ({ quality: { parameters } }) =>
          parameters[name] === grade && names.every((other) => other === name || parameters[other] === 4),
      );
      return some.length === 0
        ? ''
        : `${some.length}: ${percent(share(some.map(sharpByAll)))} ${percent(mean(some.map(readShare)))}`;
    });
    const correlation = spearman(
      all.map(({ quality }) => quality.parameters[name]),
      all.map(readShare),
    );
    return [name, ...cells, correlation.toFixed(2)];
  });
  return table(['lowest alone (designs: sharp by all, read)', '3', '2', '1', '0', 'correlation'], rows);
}

function finderTable(all: readonly Graded[]): string {
  const readers = readersOf(all);
  const others = ({ quality: { parameters } }: Graded): boolean =>
    (Object.keys(parameters) as ParameterName[]).every(
      (name) =>
        name === 'finder-centre' || name === 'finder-ring' || name === 'red-light' || parameters[name] === 4,
    );
  const groups = groupBy(
    all.filter(others),
    ({ specimen: { design } }) =>
      `${design.cornersSquare.type} / ${design.cornersDot.type}${design.dots.roundSize ? '' : ' crisp'}`,
  );
  const rows = [...groups]
    .sort()
    .map(([name, some]) => [
      name,
      String(some.length),
      mean(some.map(({ quality }) => quality.grade)).toFixed(1),
      percent(mean(some.map(readShare))),
      ...readers.map(
        (reader) =>
          `${percent(share(some.map((one) => sharpBy(one, reader))))} -> ${percent(mean(some.map((one) => share(one.reads[reader]!))))}`,
      ),
    ]);
  return table(['ring / centre', 'designs', 'grade', 'read', ...readers], rows);
}

function coverTable(all: readonly Graded[]): string {
  const steps = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, Number.POSITIVE_INFINITY];
  const others = ({ specimen, quality: { parameters } }: Graded): boolean =>
    specimen.logo !== null &&
    (Object.keys(parameters) as ParameterName[]).every(
      (name) =>
        name === 'logo-damage' || name === 'fixed-patterns' || name === 'red-light' || parameters[name] === 4,
    );
  const logos = all.filter(others);
  const readers = readersOf(all);
  const rows = steps.map((to, i) => {
    const from = steps[i - 1] ?? -1;
    const some = logos.filter(({ quality: { figures } }) => {
      const cover = figures['logo-damage'] ?? 0;
      return cover > from && cover <= to;
    });
    return [
      `cover <= ${to}`,
      String(some.length),
      percent(mean(some.map(readShare))),
      percent(share(some.map(sharpByAll))),
      ...readers.map((reader) => percent(share(some.map((one) => sharpBy(one, reader))))),
    ];
  });
  return table(['logos, all else 4', 'designs', 'read', 'sharp by all', ...readers], rows);
}

function conditionTable(all: readonly Graded[]): string {
  const readers = readersOf(all);
  const best = all.filter(({ quality }) => quality.grade === 4);
  const rows = CONDITIONS.map(({ name }, i) => [
    name,
    ...readers.map((reader) => percent(share(best.map(({ reads }) => reads[reader]![i]!)))),
  ]);
  return table(['grade 4', ...readers], rows);
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, readonly T[]> {
  const groups = new Map<string, readonly T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
