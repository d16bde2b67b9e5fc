/** Finds the tests of a source. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The modules that a module imports, and threads and programs that it starts by path. */
const PATHS = /['"`](\.{1,2}\/[^'"`\s$]+?)(?:\.(?:tsx?|m?js)|\$\{[^'"\n]*\})['"`]/g;
const TYPES = /^(?:import|export) type [^;]*;/gm;
const BUILT = /(^|\/)dist\//;

/** Returns the sources that a module names. All paths are within the folder `root`. */
const namedIn = (root: string, file: string): readonly string[] =>
  [...readFileSync(join(root, file), 'utf8').replaceAll(TYPES, '').matchAll(PATHS)]
    .flatMap(([, path]) => {
      const named = join(dirname(file), path!).replace(BUILT, '$1');
      return [`${named}.ts`, `${named}.tsx`];
    })
    .filter((path) => existsSync(join(root, path)));

/** The number of imports from a test file to each source that it loads. */
type Distances = ReadonlyMap<string, number>;

const measure = (test: string, namedBy: (file: string) => readonly string[]): Distances => {
  const distances = new Map([[test, 0]]);
  for (const [file, distance] of distances)
    for (const named of namedBy(file)) if (!distances.has(named)) distances.set(named, distance + 1);
  return distances;
};

/** The words of a path; a name such as `bin-purge` has two. */
const wordsOf = (path: string): ReadonlySet<string> => new Set(path.match(/[a-z]{2,}/g));

/** The share of the words in the path of a source that the path of a test contains. */
const likeness = (source: string, test: string): number => {
  const [own, other] = [wordsOf(source), wordsOf(test)];
  return [...own].filter((word) => other.has(word)).length / own.size;
};

/**
 * Makes a function that returns the nearest of the tests that load a source: those that import it directly, then
 * those with the most similar paths. The test that loads the least, and so is the fastest, comes first.
 *
 * @param root The project's folder; all other paths are within it.
 */
export const createNearest = (root: string, tests: readonly string[]) => {
  const known = new Map<string, readonly string[]>();
  const namedBy = (file: string): readonly string[] => {
    const named = known.get(file) ?? namedIn(root, file);
    known.set(file, named);
    return named;
  };
  const all = tests.map((test) => ({ test, distances: measure(test, namedBy) }));

  return (source: string, count: number, isUsable: (test: string) => boolean): readonly string[] => {
    // This module loads the scripts of the folder beside it.
    const loaded = source.endsWith('.lua') ? join(dirname(source), '../scripts.ts') : source;
    return all
      .filter(({ test, distances }) => distances.has(loaded) && isUsable(test))
      .map(({ test, distances }) => ({
        test,
        near: (distances.get(loaded) === 1 ? 1 : 0) + likeness(source, test),
        loads: distances.size,
      }))
      .sort((a, b) => b.near - a.near)
      .slice(0, count)
      .sort((a, b) => a.loads - b.loads)
      .map(({ test }) => test);
  };
};
