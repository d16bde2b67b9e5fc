/** The files that the image removes from packages: none that is loaded, and enough to keep the image small. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { filesOf, isRead } from '../../deploy/image/prune.mjs';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ROOT } from './dockerfile.ts';
import { packages } from './packages.ts';

/** With this limit the image stays below 260 MB, because Node, its libraries and certificates take some 145 MB. */
const PACKAGES_MAX_BYTES = 95e6;

/** Modules of the same package that a file refers to, except declarations that only comments refer to. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/(?:require\(|from|import)\s*\(?\s*["'](\.[^"'\n]*)["']/g)]
    .map(([, to = '']) => to)
    .filter((to) => !/\.[cm]?ts$/.test(to));

const ENDINGS = ['', '.js', '.cjs', '.mjs', '.json', '/index.js', '/index.cjs', '/index.mjs'];

/** Removed files that a kept file of the same package loads. */
const missedIn = ({ name, folder, kept }: (typeof packages)[number]): string[] => {
  const has = new Set(filesOf(folder));
  return kept
    .filter((path) => /\.[cm]?js$/.test(path))
    .flatMap((path) =>
      namedIn(readFileSync(join(folder, path), 'utf8')).flatMap((to) => {
        const found = ENDINGS.map((ending) => normalize(join(dirname(path), to) + ending)).filter((file) =>
          has.has(file),
        );
        return found.length === 0 || found.some((file) => isRead(name, file))
          ? []
          : [`${name}: ${path} loads ${to}`];
      }),
    );
};

t.test('the files that are pruned from packages', async (t) => {
  t.test('include none that a remaining file loads', async (t) => {
    t.ok(packages.length > 200);
    t.strictSame(packages.flatMap(missedIn), []);
  });

  t.test('are enough to keep the image below its size limit', async (t) => {
    const bytes = packages
      .flatMap(({ folder, kept }) => kept.map((path) => join(folder, path)))
      .reduce((sum, path) => sum + statSync(path).size, 0);
    t.comment(`${(bytes / 1e6).toFixed(1)} MB of packages`);
    t.ok(bytes < PACKAGES_MAX_BYTES, `${bytes} bytes`);
  });

  t.test('include no licence, but all packages for other platforms', async (t) => {
    const folder = await temporaryFolder(t);
    const write = async (path: string, text = '') => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    };
    const stays = ['a/package.json', 'a/index.js', 'a/LICENSE.md', 'a/docs/NOTICE', 'a/lib/test/x.js'];
    const goes = ['a/index.js.map', 'a/index.d.cts', 'a/README.md', 'a/test/x.js', 'a/.github/x.yml'];
    for (const path of [...stays, ...goes]) await write(path, '{}');
    await write('@b/musl/package.json', '{ "os": ["linux"], "libc": ["musl"] }');
    await write(
      '@b/gnu/package.json',
      JSON.stringify({ os: ['linux'], cpu: [process.arch], libc: ['glibc'] }),
    );
    await write('a/node_modules/mac/package.json', '{ "os": ["darwin"] }');
    await promisify(execFile)(process.execPath, ['deploy/image/prune.mjs', folder], { cwd: ROOT });
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = left.filter((path) => statSync(join(folder, path)).isFile());
    t.strictSame(files.sort(), [...stays, '@b/gnu/package.json'].sort());
  });
});
