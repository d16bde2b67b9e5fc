/**
 * Makes the bundles of `bundle.cjs`.
 *
 *     node test/support/loader/make.mjs [kind entry]
 *
 * Without arguments it makes the bundles of the groups in which the commands run the tests: those of `npm test` where
 * `TEST_SHORT` is set, otherwise all.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { countLeftOut, isShort, writeGroups } from '../groups/groups.mjs';
import bundles from './bundle.cjs';
import { bundledPackages } from './packages.mjs';

const { CACHE, findBundle, keepBundle } = bundles;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Old bundles, and those of copies of the project, are kept until there are this many files. */
const FILES_MAX = 3000;
/** Runs a build with several bundles, which esbuild returns together. */
const BUILD_MAX = 50;

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  sourcesContent: false,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  metafile: true,
  write: false,
  outdir: CACHE,
  logLevel: 'error',
};
const FORMATS = { module: 'esm', thread: 'cjs' };
const SOURCE_MAPS = { module: 'inline', thread: false };
/** Code that defines `require` in an ES module. */
const BANNERS = {
  module: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  thread: {},
};

/** The programs and threads that tests start. Others are bundled when they start, which takes a second. */
const STARTED = {
  module: [
    'dist/src/server.js',
    'test/bench/ask.ts',
    'test/packages/sbom.ts',
    'test/support/app/app-process.ts',
    'test/support/before.ts',
    'test/support/database/database-process.ts',
  ],
  thread: [
    'src/batches/receive/spreadsheet-worker.ts',
    'src/db/embedded/worker.ts',
    'src/logo/svg/worker.ts',
    'src/reading/worker.ts',
    'test/render/broken-worker.ts',
    'test/render/fake-worker.ts',
    'workers/render-worker.ts',
    'workers/sheets/worker.ts',
  ],
};

const OWN_TEST = fileURLToPath(new URL('../groups/run.ts', import.meta.url));
const CASES = fileURLToPath(new URL('../cases.ts', import.meta.url));

/** Gives each test file its own `t`, even in a shared process, and sets the number of random cases. */
const ownTests = {
  name: 'own-tests',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^tap$/ }, ({ importer }) =>
      importer.endsWith('.test.ts') ? { path: importer, namespace: 'own-test' } : undefined,
    );
    onResolve({ filter: /^fast-check$/ }, ({ importer }) =>
      importer === CASES ? undefined : { path: CASES },
    );
    onLoad({ filter: /.*/, namespace: 'own-test' }, () => ({
      contents: `import { ownTest } from ${JSON.stringify(OWN_TEST)};\nexport default ownTest();`,
      resolveDir: ROOT,
    }));
  },
};

/**
 * Packages that our lazily loaded modules import. A bundle would load its imports at the start; these are required
 * only when the importing module runs.
 */
const NEEDED_LATER = /^(@opentelemetry\/|@aws-sdk\/)/;

const later = {
  name: 'later',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: NEEDED_LATER }, ({ path, namespace }) =>
      namespace === 'later' ? { path, external: true } : { path, namespace: 'later' },
    );
    onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      resolveDir: ROOT,
    }));
  },
};

/** Leaves out packages, and lets our modules find files relative to their source. */
const ours = (packages) => ({
  name: 'ours',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path: packages.get(path) ?? path, external: true },
    );
    onLoad({ filter: /\.[jt]sx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    }));
  },
});

/** Returns the paths of an entry and of all that it imports. */
const closureOf = (entry, inputs) => {
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, external } of inputs[file].imports) if (!external) found.add(path);
  }
  return [...found]
    .filter((file) => !/^(own-test|later):/.test(file))
    .map((file) => resolve(ROOT, file.split('?')[0]));
};

const makeBundles = async (kind, entries) => {
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    entryPoints: entries.map((entry, i) => ({ in: entry, out: String(i) })),
    format: FORMATS[kind],
    sourcemap: SOURCE_MAPS[kind],
    banner: BANNERS[kind],
    plugins: [ownTests, later, ours(await bundledPackages(CACHE))],
  });
  for (const { path, text } of outputFiles) {
    const { entryPoint } = Object.entries(metafile.outputs).find(([file]) => resolve(ROOT, file) === path)[1];
    keepBundle(kind, resolve(ROOT, entryPoint), text, closureOf(entryPoint, metafile.inputs));
  }
};

const [kind, entry] = process.argv.slice(2);
if (entry !== undefined) {
  await makeBundles(kind, [resolve(entry)]);
} else {
  if (existsSync(CACHE) && readdirSync(CACHE).length > FILES_MAX) rmSync(CACHE, { recursive: true });
  const isTestShort = process.env.TEST_SHORT === '1';
  if (isTestShort) {
    const { files, forPrograms } = countLeftOut();
    console.error(
      `npm test leaves out ${files} test files, which npm run test:all runs: those of browsers, several gateways, load, faults and deployment, and ${forPrograms} that need nginx, HAProxy, promtool or Ghostscript.`,
    );
  }
  const groups = writeGroups().filter((file) => !isTestShort || isShort(file));
  const wanted = { module: [...STARTED.module, ...groups], thread: STARTED.thread };
  for (const [one, entries] of Object.entries(wanted)) {
    const missing = entries.filter((file) => findBundle(one, resolve(ROOT, file)) === null);
    for (let i = 0; i < missing.length; i += BUILD_MAX)
      await makeBundles(one, missing.slice(i, i + BUILD_MAX));
  }
}
