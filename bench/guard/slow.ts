/**
 * Proves that the guard detects a slow-down: makes a copy of the build in which three of ten calls to one part are
 * made twice, so that the part costs 30 % more on any machine.
 */
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../../test/servers/scope.ts';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';
import { OWN_BUILD } from '../../test/servers/testbed.ts';

interface Patch {
  readonly file: string;
  /** Occurs in the file once, and declares `function` under another name instead. */
  readonly declaration: string;
  /** Declares it again, as a call of `quickly`. Added at the end of the file. */
  readonly wrapper: string;
}

const patch = (file: string, name: string, body: string): Patch => ({
  file,
  declaration: `export const ${name} = `,
  wrapper: `let calls = 0;\nexport function ${name}(...all) {${body}}`,
});

const AGAIN = 'calls++ % 10 < 3';

const ledger = (file: string, name: string): Patch =>
  patch(
    file,
    name,
    `
    const slower = (quota) => ({
      ...quota,
      async reserve(request) {
        if (${AGAIN}) {
          const again = { id: crypto.randomUUID(), accountId: request.accountId };
          const { outcome } = await quota.reserve({ ...request, ...again });
          if (outcome === 'admitted') quota.settleLater({ ...again, refundUnits: 0 });
        }
        return quota.reserve(request);
      },
    });
    const made = quickly(...all);
    return made instanceof Promise ? made.then(slower) : slower(made);`,
  );

/** The parts that can be made slower, by the name that `--slow` takes. */
export const PATCHES: Readonly<Record<string, readonly Patch[]>> = {
  render: [patch('workers/render.js', 'render', `if (${AGAIN}) quickly(...all); return quickly(...all);`)],
  quota: [
    ledger('src/quota/redis/redis-quota.js', 'createRedisQuota'),
    ledger('src/quota/sql-quota.js', 'createSqlQuota'),
  ],
};

/** Makes a build in which `part` costs 30 % more. @returns Its folder, which is removed at the end of `scope`. */
export const slowBuild = async (scope: Scope, part: string): Promise<string> => {
  const folder = await temporaryFolder(scope);
  const build = join(folder, 'dist');
  await cp(OWN_BUILD, build, { recursive: true });
  for (const name of ['node_modules', 'package.json'])
    await symlink(join(OWN_BUILD, '..', name), join(folder, name));
  for (const { file, declaration, wrapper } of PATCHES[part]!) {
    const text = await readFile(join(build, file), 'utf8');
    if (text.split(declaration).length !== 2)
      throw new Error(`${file}: "${declaration}" must occur exactly once`);
    await writeFile(join(build, file), `${text.replace(declaration, 'const quickly = ')}\n${wrapper}\n`);
  }
  return build;
};
