/** A copy of the project in which one mutant after another is tested. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The outcome of a test file. A test that hangs is stopped at its time limit. */
export type Outcome = 'passes' | 'fails' | 'hangs';

/** A copy of the project. Only one mutant may be tested in it at a time. */
export interface Copy {
  /** Runs a test file up to its first failure, and cleans up processes and files. */
  run(test: string, timeoutMs: number): Promise<Outcome>;
  /** Changes a source and the module that gateways in tests run. `file` is its path within the project. */
  write(file: string, source: string): Promise<void>;
  remove(): Promise<void>;
}

const LEFT_OUT = ['node_modules', '.git', '.tap', 'data'];
const LOADER = '--require=./test/support/loader/typescript.cjs';
const PREPARE_TIMEOUT_MS = 600_000;

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
// A single file is transpiled without its package.json, which says that modules are ES modules.
const compilerOptions = { ...options, module: ts.ModuleKind.ESNext };

/** Returns the compiled source. */
export const buildOf = (file: string, source: string): string =>
  file.endsWith('.ts') ? ts.transpileModule(source, { compilerOptions, fileName: file }).outputText : source;

/** Makes the copy and prepares the test databases. */
export const createCopy = async (): Promise<Copy> => {
  const home = await mkdtemp(join(tmpdir(), 'tessera-mutation-'));
  const [folder, temporary] = [join(home, 'project'), join(home, 'tmp')];
  await cp(ROOT, folder, {
    recursive: true,
    filter: (path) => !LEFT_OUT.includes(relative(ROOT, path).split(sep)[0]!),
  });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(temporary);
  // Postgres servers of tests may run as another user.
  for (const path of [home, temporary]) await chmod(path, 0o777);
  const removeLeftovers = async (): Promise<void> => {
    const left = (await readdir(temporary)).filter((name) => !name.includes('template'));
    await Promise.all(left.map((name) => rm(join(temporary, name), { recursive: true, force: true })));
  };

  const run = async (test: string, timeoutMs: number): Promise<Outcome> => {
    const child = spawn(process.execPath, ['--enable-source-maps', LOADER, test], {
      cwd: folder,
      env: {
        ...process.env,
        ...{ TMPDIR: temporary, TAP_BAIL: '1', TAP_TIMEOUT: '600', TAP_TYPE_STRIP_ONLY: '1' },
      },
      stdio: 'ignore',
      detached: true,
    });
    const endGroup = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // All its processes have ended.
      }
    };
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup();
    }, timeoutMs);
    const [code] = await once(child, 'exit');
    clearTimeout(timer);
    // A test that stops at its first failure may leave servers behind.
    endGroup();
    await removeLeftovers();
    if (isLate) return 'hangs';
    return code === 0 ? 'passes' : 'fails';
  };

  await run('test/support/before.ts', PREPARE_TIMEOUT_MS);
  return {
    run,
    async write(file, source) {
      await writeFile(join(folder, file), source);
      await writeFile(join(folder, 'dist', file.replace(/\.ts$/, '.js')), buildOf(file, source));
    },
    remove: () => rm(home, { recursive: true, force: true }),
  };
};
