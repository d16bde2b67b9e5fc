/** Which tests can notice a change of a file at all. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a module imports, and what it starts by path: a thread or a process. */
const PATHS = /['"](\.{1,2}\/[^'"\s]+\.(?:tsx?|mjs))['"]/g;

const namedIn = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(PATHS)]
    .map(([, path]) => join(dirname(file), path!))
    .filter((path) => existsSync(path));

/** Returns the file and all that it loads, directly or not. */
const closureOf = (file: string): ReadonlySet<string> => {
  const found = new Set([file]);
  for (const one of found) for (const named of namedIn(one)) found.add(named);
  return found;
};

/**
 * Returns the tests that load `source`, in their order; all of them when it is not TypeScript. Paths are within `root`.
 */
export const testsReaching = (root: string, tests: readonly string[], source: string): readonly string[] =>
  source.endsWith('.ts')
    ? tests.filter((test) => closureOf(join(root, test)).has(join(root, source)))
    : tests;
