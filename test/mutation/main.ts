/**
 * Makes small mistakes in a module, one at a time, in a copy of the project, and says which ones its tests notice.
 *
 *     npm run test:mutation -- <module, or all> [mutants a module, 20] [the first one, to take others]
 *
 * Run it by hand: it takes minutes a module. A mutant that makes a test run far longer counts as noticed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODULES, type Module } from './modules.ts';
import { type Mutant, mutantsOfLua, mutantsOfTypeScript } from './mutants.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COPIED = ['src', 'workers', 'sql', 'test', 'bench', 'dist', 'docs', 'package.json', 'README.md'];
const LOADER = '--import=./test/support/loader/typescript.mjs';
/** A test may take this many times as long as without a mutant. */
const SLOWER_MAX = 3;
const SLACK_MS = 20_000;

interface Found extends Mutant {
  readonly file: string;
  readonly was: string;
}

const mutantsOf = async ({ sources }: Module): Promise<Found[]> => {
  const lists = sources.map(async (file) => {
    const source = await readFile(join(ROOT, file), 'utf8');
    const mutants = file.endsWith('.lua') ? mutantsOfLua(source) : mutantsOfTypeScript(source);
    return mutants.map((mutant) => ({ ...mutant, file, was: source.slice(mutant.start, mutant.end) }));
  });
  return (await Promise.all(lists)).flat();
};

/** Returns `count` mutants, evenly spread over all sources. */
const sampled = <T>(all: readonly T[], count: number, first: number): readonly T[] =>
  all.length <= count
    ? all
    : Array.from(
        { length: count },
        (_, i) => all[(first + Math.floor((i * all.length) / count)) % all.length]!,
      );

/** Whether the test passes; `null` when it took too long. */
const passes = async (folder: string, test: string, timeoutMs: number): Promise<boolean | null> => {
  const child = spawn(process.execPath, ['--enable-source-maps', LOADER, test], {
    cwd: folder,
    env: { ...process.env, TAP_BAIL: '1', TAP_TIMEOUT: '600', TAP_TYPE_STRIP_ONLY: '1' },
    stdio: 'ignore',
    detached: true,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid!, 'SIGKILL');
  }, timeoutMs);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return isLate ? null : code === 0;
};

const noticedBy = async (
  folder: string,
  tests: ReadonlyMap<string, number>,
  { file, start, end, text }: Found,
): Promise<string | null> => {
  const source = await readFile(join(ROOT, file), 'utf8');
  await writeFile(join(folder, file), source.slice(0, start) + text + source.slice(end));
  try {
    for (const [test, ms] of tests) {
      if ((await passes(folder, test, ms * SLOWER_MAX + SLACK_MS)) !== true) return test;
    }
    return null;
  } finally {
    await writeFile(join(folder, file), source);
  }
};

const runModule = async (folder: string, name: string, count: number, first: number): Promise<void> => {
  const module = MODULES[name]!;
  const tests = new Map<string, number>();
  for (const test of module.tests) {
    const startedMs = performance.now();
    if (!(await passes(folder, test, 600_000))) throw new Error(`${test} fails without any mutant`);
    tests.set(test, performance.now() - startedMs);
  }
  const all = await mutantsOf(module);
  const mutants = sampled(all, count, first);
  let noticed = 0;
  for (const mutant of mutants) {
    const test = await noticedBy(folder, tests, mutant);
    if (test !== null) noticed += 1;
    const { file, line, was, text } = mutant;
    const verdict = test === null ? 'SURVIVED' : `noticed by ${test}`;
    console.log(
      `${file}:${line}: ${was.replaceAll(/\s+/g, ' ').slice(0, 80)} -> ${text.slice(0, 80)}: ${verdict}`,
    );
  }
  const share = Math.round((100 * noticed) / mutants.length);
  console.log(`${name}: ${noticed} of ${mutants.length} noticed (${share} %), out of ${all.length} possible`);
};

const [wanted = 'all', count = '20', first = '0'] = process.argv.slice(2);
const names = wanted === 'all' ? Object.keys(MODULES) : [wanted];
const unknown = names.find((name) => !(name in MODULES));
if (unknown !== undefined) throw new Error(`no module ${unknown}: ${Object.keys(MODULES).join(', ')}, all`);

const folder = await mkdtemp(join(tmpdir(), 'tessera-mutation-'));
try {
  for (const part of COPIED) await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await passes(folder, 'test/support/before.ts', 600_000);
  for (const name of names) await runModule(folder, name, Number(count), Number(first));
} finally {
  await rm(folder, { recursive: true, force: true });
}
