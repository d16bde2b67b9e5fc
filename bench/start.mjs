/**
 * Runs a tool of this folder, for example `node bench/start.mjs capacity/main --help`. Help and faults of options come
 * at once; what the tool needs is built only when it has changed since the last build.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
/** Its time is that at which the last build began. */
const STAMP = join(DIST, '.built-for-bench');
const SOURCES = ['bench', 'sql', 'src', 'test/domains', 'test/servers', 'test/support', 'workers'];
const FILES = ['package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.tools.json'];

/** Folders count, too: their times tell that a file was removed. */
const changedMs = () => {
  const inFolders = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((file) => join(folder, file)),
  );
  return Math.max(...[...SOURCES, ...FILES, ...inFolders].map((file) => statSync(join(ROOT, file)).mtimeMs));
};

const buildIfChanged = () => {
  if (existsSync(STAMP) && changedMs() < statSync(STAMP).mtimeMs) return;
  const began = new Date();
  process.stderr.write('building …\n');
  execFileSync('npm', ['run', '--silent', 'build:tools'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  writeFileSync(STAMP, '');
  utimesSync(STAMP, began, began);
};

const [tool, ...args] = process.argv.slice(2);
const main = join(DIST, `bench/${tool}.js`);
process.argv = [process.execPath, main, ...args];
mkdirSync(DIST, { recursive: true });
const outfile = join(DIST, 'commands.mjs');
const entryPoints = [join(ROOT, 'bench/commands.ts')];
await build({ entryPoints, outfile, bundle: true, packages: 'external', platform: 'node', format: 'esm' });
const { checkOptions } = await import(pathToFileURL(outfile));
checkOptions(tool);
buildIfChanged();
await import(pathToFileURL(main));
