/**
 * `npm run test:mutation` makes small mistakes in a module, one at a time, in a copy of the project, and says which ones
 * its tests notice.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, misuse } from '../../bench/command/main.ts';
import { type Copy, createCopy, ROOT } from './copy.ts';
import { equivalence } from './equivalents.ts';
import { type Found, mutantsOf } from './found.ts';
import { MODULES } from './modules.ts';
import { testsReaching } from './reach.ts';

/** A test may take this many times as long as without a mutant. */
const SLOWER_MAX = 3;
const SLACK_MS = 10_000;
const UNCHANGED_TIMEOUT_MS = 600_000;

/** Returns `count` mutants, evenly spread over all sources. */
const sampled = <T>(all: readonly T[], count: number, first: number): readonly T[] =>
  all.length <= count
    ? all
    : Array.from(
        { length: count },
        (_, i) => all[(first + Math.floor((i * all.length) / count)) % all.length]!,
      );

/** Returns what noticed the mutant; `null`: nothing did. */
const noticedBy = async (
  copy: Copy,
  tests: ReadonlyMap<string, number>,
  { file, start, end, text }: Found,
): Promise<string | null> => {
  const source = await readFile(join(ROOT, file), 'utf8');
  await copy.write(file, source.slice(0, start) + text + source.slice(end));
  try {
    for (const test of testsReaching(ROOT, [...tests.keys()], file)) {
      const outcome = await copy.run(test, tests.get(test)! * SLOWER_MAX + SLACK_MS);
      if (outcome !== 'passes') return `${test}, which ${outcome}`;
    }
    return null;
  } finally {
    await copy.write(file, source);
  }
};

const percent = (part: number, whole: number): string =>
  `${part} of ${whole} noticed (${Math.round((100 * part) / whole)} %)`;

/** Which mutants of a module are tried. */
interface Sample {
  readonly count: number;
  readonly first: number;
  /** Those of other kinds, of which no equivalent ones are listed. */
  readonly other: boolean;
}

const runModule = async (copy: Copy, name: string, { count, first, other }: Sample): Promise<void> => {
  const module = MODULES[name]!;
  const all = await mutantsOf(ROOT, module, other);
  const reasonOf = other ? () => null : equivalence(all);
  const tests = new Map<string, number>();
  for (const test of module.tests) {
    const startedMs = performance.now();
    const outcome = await copy.run(test, UNCHANGED_TIMEOUT_MS);
    if (outcome !== 'passes') throw new Error(`${test} ${outcome} without any mutant`);
    tests.set(test, performance.now() - startedMs);
  }
  const mutants = sampled(all, count, first);
  let noticed = 0;
  let equivalent = 0;
  for (const mutant of mutants) {
    const reason = reasonOf(mutant);
    const by = reason === null ? await noticedBy(copy, tests, mutant) : null;
    if (reason !== null) equivalent += 1;
    else if (by !== null) noticed += 1;
    const verdict = reason !== null ? `equivalent: ${reason}` : by === null ? 'SURVIVED' : `noticed by ${by}`;
    const { file, line, was, becomes } = mutant;
    console.log(`${file}:${line}: ${was} => ${becomes}: ${verdict}`);
  }
  const others = percent(noticed, mutants.length - equivalent);
  console.log(`${name}: ${percent(noticed, mutants.length)}, out of ${all.length} possible`);
  console.log(`${name}: ${others} without ${equivalent} that are equivalent`);
};

const { positionals, values } = commandLine({
  name: 'npm run test:mutation',
  operands: '[module] [mutants] [first]',
  about: `Makes small mistakes in a module, one at a time, in a copy of the project, and says which ones its tests notice. It takes minutes a module. A mutant that makes a test run far longer counts as noticed.\n\nModules: ${Object.keys(MODULES).join(', ')}, or all, which is the default. Mutants: how many of a module, evenly spread (20), or all. First: a number from 0, to take others.`,
  options: {
    other: {
      type: 'boolean',
      default: false,
      text: 'mistakes of other kinds, for which no tests were written; equivalent ones are not left out',
    },
  },
  examples: [
    ['png', 'twenty mutants of one module'],
    ['png all', 'all of them'],
    ['all 5 3', 'five of each module, others than by default'],
    ['quality 60 --other', 'sixty of kinds that the tests were not written against'],
  ],
});
const [wanted = 'all', count = '20', first = '0'] = positionals;
const names = wanted === 'all' ? Object.keys(MODULES) : [wanted];
const unknown = names.find((name) => !(name in MODULES));
if (unknown !== undefined) misuse(`there is no module ${unknown}: ${Object.keys(MODULES).join(', ')}, all`);
const sample: Sample = {
  count: count === 'all' ? Number.POSITIVE_INFINITY : Number(count),
  first: Number(first),
  other: values.other,
};

const copy = await createCopy();
try {
  for (const name of names) await runModule(copy, name, sample);
} finally {
  await copy.remove();
}
