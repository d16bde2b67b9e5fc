/** Figures that a run must reach, as `--require "render miss 300=2000"` names them. Pure. */
import { findNearest } from '../../src/csv/match.ts';
import { Misuse } from '../../test/support/command.ts';
import type { RunOptions } from '../options.ts';
import { figure as written } from '../say.ts';
import { LATENCY_SCENARIOS, LOADS } from '../stages/latency.ts';
import { TARGETS } from '../stages/scenarios.ts';
import { median } from '../stats.ts';
import { type Figure, isHigherBetter, latencyNames, ratioName, scenarioNames } from './figures.ts';

/** A figure and what is required of it. */
export interface Requirement {
  readonly name: string;
  readonly value: number;
}

/** Parses `name=number`. @throws {Misuse} */
export const parseRequirement = (text: string): Requirement => {
  const [, name = '', value = ''] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  const number = Number(value);
  if (name.trim() === '' || value.trim() === '' || !(number > 0))
    throw new Misuse(
      `--require "${text}" must be the name of a figure and a number above 0, as in "render miss 300=2000"`,
    );
  return { name: name.trim(), value: number };
};

/** Lists names in two lines: the subjects, and their further measures. */
const listed = (names: readonly string[]): string => {
  const parts = names.map((name) => name.split(': '));
  const all = (at: number) => [...new Set(parts.flatMap((part) => part[at] ?? []))].join(', ');
  return `  ${all(0)}\n  many also with ": " and one of ${all(1)}`;
};

/**
 * Finds the intended name: a whole name, or a suffix of exactly one, such as "miss 300" for "render miss 300".
 *
 * @throws {Misuse} When there is none. The message lists the names.
 */
const findName = (wanted: string, names: readonly string[]): string => {
  if (names.includes(wanted)) return wanted;
  const ends = names.filter((name) => name.endsWith(` ${wanted}`));
  if (ends.length === 1) return ends[0]!;
  const near = findNearest(wanted, [...names, ...names.map((name) => name.replace(/^\S+ /, ''))]);
  const hint = near === null ? '.' : `; did you mean "${near}"?`;
  throw new Misuse(`there is no figure "${wanted}"${hint} There are:\n${listed(names)}`);
};

/**
 * Returns a sentence for each figure that misses its requirement: rates and ratios must be at least the number, times
 * and costs at most. @throws {Misuse} When a name is unknown.
 */
export const missedOf = (figures: readonly Figure[], requirements: readonly Requirement[]): string[] => {
  const names = [...new Set(figures.map((one) => one.name))];
  return requirements.flatMap((requirement) => {
    const name = findName(requirement.name, names);
    // The latest report is the last one.
    const { values, measure, kind } = figures.findLast((one) => one.name === name)!;
    const [is, wanted] = [median(values), requirement.value];
    const isMet = isHigherBetter(kind) ? is >= wanted : is <= wanted;
    const bound = isHigherBetter(kind) ? 'at least' : 'at most';
    return isMet ? [] : [`${name} is ${written(is)} ${measure}, and ${bound} ${written(wanted)} is required`];
  });
};

/** The names of the figures that a run will have. */
const namesOf = ({ scenarios, stages }: RunOptions): string[] => {
  const chosen = scenarios.map(({ name }) => name);
  const isMeasured = stages.includes('compare') || stages.includes('latency');
  const loaded = stages.includes('latency') ? chosen.filter((name) => LATENCY_SCENARIOS.includes(name)) : [];
  const targets = TARGETS.filter(({ of, to }) => chosen.includes(of) && chosen.includes(to));
  return [
    ...(isMeasured ? [...chosen.flatMap(scenarioNames), ...targets.map(ratioName)] : []),
    ...loaded.flatMap((name) => LOADS.flatMap((load) => latencyNames(name, load))),
  ];
};

/** @throws {Misuse} When the run will not have a required figure. */
export const checkRequirements = (options: RunOptions, requirements: readonly Requirement[]): void => {
  const names = namesOf(options);
  for (const { name } of requirements) findName(name, names);
};
