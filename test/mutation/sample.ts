/** Chooses mutants, and finds sources and tests. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutant, type Mutant, mutantsOf } from './mutants.ts';

const filesIn = (root: string, folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);

/** Returns all sources that have mutants: those of the gateway, the command line and the threads. */
export const findSources = (root: string): string[] =>
  [...filesIn(root, 'src'), ...filesIn(root, 'workers')].filter(
    (file) => /\.(?:ts|lua)$/.test(file) && !file.startsWith('src/dashboard/'),
  );

/** Returns all test files. */
export const findTests = (root: string): string[] =>
  filesIn(root, 'test').filter((file) => file.endsWith('.test.ts'));

/** A mutant of a file of the project. */
export interface Found {
  readonly file: string;
  readonly line: number;
  readonly was: string;
  readonly becomes: string;
  /** The whole file without and with the mutant. */
  readonly before: string;
  readonly after: string;
}

const describe = (file: string, before: string, mutant: Mutant): Found => {
  const after = applyMutant(before, mutant);
  const from = before.lastIndexOf('\n', mutant.start - 1) + 1;
  const linesFrom = (text: string, length: number): string => {
    const to = text.indexOf('\n', mutant.start + length);
    return text
      .slice(from, to === -1 ? undefined : to)
      .replaceAll(/\s+/g, ' ')
      .trim();
  };
  return {
    file,
    line: before.slice(0, from).split('\n').length,
    was: linesFrom(before, mutant.end - mutant.start),
    becomes: linesFrom(after, mutant.text.length),
    before,
    after,
  };
};

/** Returns the values in an order that depends only on the seed. */
const shuffle = <T>(seed: string, values: readonly T[], nameOf: (value: T) => string): T[] =>
  values
    .map((value) => ({
      value,
      key: createHash('sha1')
        .update(`${seed} ${nameOf(value)}`)
        .digest('hex'),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ value }) => value);

/**
 * Returns `count` mutants: a random one of each source in a random order, then a second one of each, until there are
 * enough. The same seed gives the same mutants.
 */
export const sampleMutants = (
  root: string,
  sources: readonly string[],
  count: number,
  seed: string,
): Found[] => {
  const ofSources = shuffle(seed, sources, (file) => file).map((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const mutants = mutantsOf(file, source);
    return shuffle(seed, mutants, ({ start, end, text }) => `${file} ${start} ${end} ${text}`).map(
      (mutant) => () => describe(file, source, mutant),
    );
  });
  const rounds = Math.max(0, ...ofSources.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => ofSources.flatMap((mutants) => mutants[round] ?? []))
    .flat()
    .slice(0, count)
    .map((found) => found());
};
