/** A copy of the project in which one mutant after another is tested. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** How a test file ended. A test that hangs was ended after its time limit. */
export type Outcome = 'passes' | 'fails' | 'hangs';

/** The copy. Every mutant uses the same one, so only one may be tested at a time. */
export interface Copy {
  /** Runs a test file, up to its first failure. It leaves no process behind. */
  run(test: string, timeoutMs: number): Promise<Outcome>;
  /** Writes a source file; `file` is its path within the project. */
  write(file: string, source: string): Promise<void>;
  remove(): Promise<void>;
}

const COPIED = ['src', 'workers', 'sql', 'test', 'bench', 'dist', 'docs', 'package.json', 'README.md'];
const LOADER = '--require=./test/support/loader/typescript.cjs';
const PREPARE_TIMEOUT_MS = 600_000;

/** Makes the copy, and prepares the databases of the tests. */
export const createCopy = async (): Promise<Copy> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-mutation-'));
  for (const part of COPIED) await cp(join(ROOT, part), join(folder, part), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

  const run = async (test: string, timeoutMs: number): Promise<Outcome> => {
    const child = spawn(process.execPath, ['--enable-source-maps', LOADER, test], {
      cwd: folder,
      env: { ...process.env, TAP_BAIL: '1', TAP_TIMEOUT: '600', TAP_TYPE_STRIP_ONLY: '1' },
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
    if (isLate) return 'hangs';
    return code === 0 ? 'passes' : 'fails';
  };

  await run('test/support/before.ts', PREPARE_TIMEOUT_MS);
  return {
    run,
    write: (file, source) => writeFile(join(folder, file), source),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};
