/** Figures that a run must reach, as `--require "render miss 300=2000"` names them. Pure. */
import { findNearest } from '../../src/csv/match.ts';
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

/** Parses `name=number`. @returns The requirement, or an error message. */
export const parseRequirement = (text: string): Requirement | string => {
  const [, name = '', value = ''] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  const number = Number(value);
  if (name.trim() === '' || value.trim() === '' || !(number > 0))
    return `--require "${text}" must be the name of a figure and a number above 0, as in "render miss 300=2000"`;
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
 * @returns The name, or an error message that lists the names.
 */
const findName = (wanted: string, names: readonly string[]): { readonly name: string } | string => {
  if (names.includes(wanted)) return { name: wanted };
  const ends = names.filter((name) => name.endsWith(` ${wanted}`));
  if (ends.length === 1) return { name: ends[0]! };
  const near = findNearest(wanted, [...names, ...names.map((name) => name.replace(/^\S+ /, ''))]);
  const hint = near === null ? '.' : `; did you mean "${near}"?`;
  return `there is no figure "${wanted}"${hint} There are:\n${listed(names)}`;
};

/**
 * Returns a sentence for each figure that misses its requirement: rates and ratios must be at least the number, times
 * and costs at most. Empty when all meet it; an error message when a name is unknown.
 */
export const missedOf = (
  figures: readonly Figure[],
  requirements: readonly Requirement[],
): readonly string[] | string => {
  const missed: string[] = [];
  for (const { name, value } of requirements) {
    const found = findName(name, [...new Set(figures.map((one) => one.name))]);
    if (typeof found === 'string') return found;
    // The latest report is the last one.
    const { values, measure, kind } = figures.findLast((one) => one.name === found.name)!;
    const measured = median(values);
    const isMet = isHigherBetter(kind) ? measured >= value : measured <= value;
    const bound = isHigherBetter(kind) ? 'at least' : 'at most';
    if (!isMet)
      missed.push(
        `${found.name} is ${written(measured)} ${measure}, and ${bound} ${written(value)} is required`,
      );
  }
  return missed;
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

/** Returns an error message about a required figure that the run will not have; `null` when it will have all. */
export const faultOfRequirements = (
  options: RunOptions,
  requirements: readonly Requirement[],
): string | null => {
  const names = namesOf(options);
  const found = requirements.map(({ name }) => findName(name, names));
  return found.find((one) => typeof one === 'string') ?? null;
};
