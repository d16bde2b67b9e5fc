/**
 * `npm run test:mutation` makes small mistakes in the sources, one at a time, in a copy of the project, and reports
 * which ones the nearest tests detect.
 */
import { commandLine, misuse, number, textOr, whole } from '../support/command.ts';
import { type Copy, createCopy, ROOT } from './copy.ts';
import { createNearest } from './nearest.ts';
import { type Found, findSources, findTests, sampleMutants } from './sample.ts';

/** Factor by which the time limit is longer with a mutant than without one. */
const SLOWER_MAX = 1.5;

const { positionals, values } = commandLine({
  name: 'npm run test:mutation',
  operands: '[path]',
  about:
    'Makes small mistakes in the sources, one at a time, in a copy of the project, and reports which ones the nearest tests detect. Nearest are the tests that load the source through the fewest imports; those that load the least run first, up to the first failure. A test that exceeds its time limit only with the mutant detects it too. The path names a folder of sources, such as src/quota; without it all of src and workers except the dashboard are used.',
  options: {
    mutants: whole('how many', 50),
    seed: textOr('text', '1', 'the seed of the random choice'),
    tests: whole('maximum number of test files for each mutant', 4),
    limit: number(
      'seconds that a test may take without a mutant, and half as much again with one; slower tests are skipped',
      30,
      1,
    ),
    jobs: whole('mutants to test at a time', 1),
  },
  examples: [
    ['', 'fifty mutants of all sources'],
    ['src/quota --mutants 20 --tests 8', 'twenty of one folder, with more of its tests'],
    ['--seed 2', 'fifty others'],
  ],
});
const [path = ''] = positionals;
const sources = findSources(ROOT).filter((file) => file.startsWith(path));
if (sources.length === 0) misuse(`there are no sources in ${path}`);
const testsMax = Number(values.tests);
const limitMs = Number(values.limit) * 1000;

const nearest = createNearest(ROOT, findTests(ROOT));

/** Whether tests pass in time without a mutant. Most need not be run, because they already passed with one. */
const sound = new Map<string, boolean>();

const isSound = async (copy: Copy, test: string): Promise<boolean> => {
  if (!sound.has(test)) {
    const outcome = await copy.run(test, limitMs);
    sound.set(test, outcome === 'passes');
    if (outcome !== 'passes') console.log(`${test} ${outcome} without any mutant and is skipped`);
  }
  return sound.get(test)!;
};

type Verdict = 'noticed' | 'SURVIVED' | 'not tried';

/** Runs the nearest tests of a mutant. A skipped test is replaced by the next one. */
const tryMutant = async (
  copy: Copy,
  { file, line, was, becomes, before, after }: Found,
): Promise<Verdict> => {
  const passed: string[] = [];
  const say = (verdict: Verdict, why: string): Verdict => {
    console.log(`${verdict} ${why}: ${file}:${line}: ${was} => ${becomes}`);
    return verdict;
  };
  const next = () =>
    nearest(file, testsMax, (test) => sound.get(test) ?? true).find((test) => !passed.includes(test));
  for (let test = next(); test !== undefined; test = next()) {
    await copy.write(file, after);
    const outcome = await copy.run(test, limitMs * SLOWER_MAX);
    await copy.write(file, before);
    if (outcome === 'passes') passed.push(test);
    else if (await isSound(copy, test)) return say('noticed', `by ${test}, which ${outcome}`);
  }
  return passed.length === 0 ? say('not tried', 'in time') : say('SURVIVED', passed.join(', '));
};

const mutants = sampleMutants(ROOT, sources, Number(values.mutants), values.seed);
const copies = await Promise.all(Array.from({ length: Number(values.jobs) }, createCopy));
const verdicts: Verdict[] = [];
try {
  const left = mutants.values();
  await Promise.all(
    copies.map(async (copy) => {
      for (const mutant of left) verdicts.push(await tryMutant(copy, mutant));
    }),
  );
} finally {
  await Promise.all(copies.map((copy) => copy.remove()));
}
const count = (wanted: Verdict): number => verdicts.filter((verdict) => verdict === wanted).length;
const [noticed, tried] = [count('noticed'), verdicts.length - count('not tried')];
console.log(`${noticed} of ${tried} detected (${Math.round((100 * noticed) / tried)} %)`);
