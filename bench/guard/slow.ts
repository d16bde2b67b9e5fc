/**
 * Proves that the guard detects a slow-down: makes a copy of the build in which three of ten calls to one part are
 * made twice, so that the part costs 30 % more on any machine.
 */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '../../test/servers/scope.ts';
import { OWN_BUILD } from '../../test/servers/testbed.ts';

interface Patch {
  readonly file: string;
  /** Occurs in the file once, and is renamed. */
  readonly declaration: string;
  readonly renamed: string;
  /** Added at the end of the file, under the old name. */
  readonly wrapper: string;
}

const twiceInThreeOfTen = 'calls++ % 10 < 3';

const ledger = (file: string, name: string): Patch => ({
  file,
  declaration: `export const ${name} =`,
  renamed: `const quickly${name} =`,
  wrapper: `
    let calls = 0;
    const slower = (quota) => ({
      ...quota,
      async reserve(request) {
        if (${twiceInThreeOfTen}) {
          const { accountId } = request;
          const id = crypto.randomUUID();
          const { outcome } = await quota.reserve({ ...request, id });
          if (outcome === 'admitted') quota.settleLater({ id, accountId, refundUnits: 0 });
        }
        return quota.reserve(request);
      },
    });
    export const ${name} = (...all) => {
      const made = quickly${name}(...all);
      return made instanceof Promise ? made.then(slower) : slower(made);
    };`,
});

/** The parts that can be made slower, by the name that `--slow` takes. */
export const PATCHES: Readonly<Record<string, readonly Patch[]>> = {
  render: [
    {
      file: 'workers/render.js',
      declaration: 'export const render = (',
      renamed: 'const quickly = (',
      wrapper: `
    let calls = 0;
    export function render(task) {
      if (${twiceInThreeOfTen}) quickly(task);
      return quickly(task);
    }`,
    },
  ],
  quota: [
    ledger('src/quota/redis/redis-quota.js', 'createRedisQuota'),
    ledger('src/quota/sql-quota.js', 'createSqlQuota'),
  ],
};

const apply = async (build: string, { file, declaration, renamed, wrapper }: Patch): Promise<void> => {
  const path = join(build, file);
  const text = await readFile(path, 'utf8');
  if (text.split(declaration).length !== 2)
    throw new Error(`${file}: "${declaration}" must occur exactly once`);
  await writeFile(path, `${text.replace(declaration, renamed)}\n${wrapper}\n`);
};

/** Makes a build in which `part` costs 30 % more. @returns Its folder, which is removed at the end of `scope`. */
export const slowBuild = async (scope: Scope, part: string): Promise<string> => {
  const patches = PATCHES[part];
  if (patches === undefined) throw new Error(`--slow must be ${Object.keys(PATCHES).join(' or ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'tessera-slow-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  const build = join(folder, 'dist');
  await cp(OWN_BUILD, build, { recursive: true });
  for (const name of ['node_modules', 'package.json']) {
    await symlink(join(OWN_BUILD, '..', name), join(folder, name));
  }
  for (const patch of patches) await apply(build, patch);
  return build;
};
