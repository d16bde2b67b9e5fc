/** Packages of many small modules, as one file each: Node's loader takes a millisecond for each module. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The slowest packages. None of them starts threads. They share common modules. */
const NAMES = [
  '@fastify/busboy',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/rate-limit',
  '@fastify/static',
  '@fastify/swagger',
  '@fastify/swagger-ui',
  '@fastify/type-provider-typebox',
  'ajv-formats',
  'ajv/dist/2020.js',
  'culori',
  'fastify',
  'ioredis',
  'maxmind',
  'negotiator',
  'postgres',
  'prom-client',
  'saxes',
  'typebox',
  'undici',
  'yauzl',
];
const ROOT = new URL('../../../', import.meta.url);
const LOCK = new URL('node_modules/.package-lock.json', ROOT);
const require = createRequire(import.meta.url);

const fileOf = (name) => name.replaceAll('/', '+');

const requireOrNull = (name) => {
  try {
    return require(name);
  } catch {
    return null;
  }
};

/** Returns a module with the exports that Node finds in the package; in CommonJS, by parsing it. */
const reexport = async (name) => {
  const own = await import(name);
  const isCommonJs = own.default !== undefined && own.default === requireOrNull(name);
  const from = JSON.stringify(name);
  const names = Object.keys(own).filter((one) => one !== 'module.exports');
  const values = names.map((one, i) =>
    isCommonJs && one === 'default' ? `const v${i} = all;` : `const v${i} = all.${one};`,
  );
  const exported = names.map((one, i) => `v${i} as ${one}`);
  const all = isCommonJs ? `const all = require(${from});` : `import * as all from ${from};`;
  return `${all}\n${values.join('\n')}\nexport { ${exported.join(', ')} };`;
};

const reexports = {
  name: 'reexports',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^reexport:/ }, ({ path }) => ({ path: path.slice(9), namespace: 'reexport' }));
    onLoad({ filter: /.*/, namespace: 'reexport' }, async ({ path }) => ({
      contents: await reexport(path),
      resolveDir: fileURLToPath(ROOT),
    }));
  },
};

/** Lets packages find files relative to their source. */
const folders = {
  name: 'folders',
  setup({ onLoad }) {
    onLoad({ filter: /swagger.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('__dirname', JSON.stringify(dirname(path))),
    }));
  },
};

const bundle = async (folder) => {
  const unfinished = `${folder}.${process.pid}`;
  await build({
    absWorkingDir: fileURLToPath(ROOT),
    entryPoints: NAMES.map((name) => ({ in: `reexport:${name}`, out: fileOf(name) })),
    bundle: true,
    splitting: true,
    external: ['pino'],
    plugins: [reexports, folders],
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process has already made it.
    rmSync(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
};

/** Returns the URLs of the files by package name, and makes the files when a version has changed. */
export const bundledPackages = async (cache) => {
  const version = createHash('sha1')
    .update(fileURLToPath(ROOT))
    .update(readFileSync(LOCK))
    .update(readFileSync(new URL(import.meta.url)));
  const folder = `${cache}/packages-${version.digest('hex')}`;
  if (!existsSync(folder)) await bundle(folder);
  return new Map(NAMES.map((name) => [name, `${folder}/${fileOf(name)}.mjs`]));
};
