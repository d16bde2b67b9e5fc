/** Packages of hundreds of small modules, as one file each: Node's loader takes a millisecond for each module. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Names, by the file each becomes. Those that import each other share what they have in common. */
const ENTRIES = {
  culori: 'culori',
  typebox: 'typebox',
  'type-provider-typebox': '@fastify/type-provider-typebox',
};
const ROOT = new URL('../../../', import.meta.url);

const hashOf = (...files) =>
  createHash('sha1')
    .update(files.map((file) => readFileSync(new URL(file, ROOT), 'utf8')).join('\0'))
    .digest('hex');

const bundle = (folder) => {
  const unfinished = `${folder}.${process.pid}-${Math.random()}`;
  createRequire(import.meta.url)('esbuild').buildSync({
    absWorkingDir: fileURLToPath(ROOT),
    entryPoints: ENTRIES,
    bundle: true,
    splitting: true,
    external: ['ajv', 'ajv-formats'],
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was faster.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
};

/** Returns the URLs of the bundles by the names of their packages, after making them when a version has changed. */
export const bundledPackages = () => {
  const manifests = Object.values(ENTRIES).map((name) => `node_modules/${name}/package.json`);
  const version = hashOf(...manifests, import.meta.url);
  const folder = new URL(`node_modules/.cache/tessera-tests/packages-${version}/`, ROOT);
  if (!existsSync(folder)) bundle(fileURLToPath(folder).slice(0, -1));
  return new Map(Object.entries(ENTRIES).map(([file, name]) => [name, new URL(`${file}.mjs`, folder).href]));
};
