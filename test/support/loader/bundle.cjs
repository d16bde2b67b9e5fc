/** Bundles of the modules that threads begin with. `threads.mjs` says what for. */
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { resolve } = require('node:path');

const ROOT = resolve(__dirname, '../../..');
/** `before.ts` bounds it. */
const CACHE = resolve(ROOT, 'node_modules/.cache/tessera-tests');

const hash = (...texts) => createHash('sha1').update(texts.join('\0')).digest('hex');

const VERSION = hash(readFileSync(__filename));

/** The same as long as none of the files changes; throws when one is missing. */
const stateOf = (files) => hash(...files.map((file) => readFileSync(resolve(ROOT, file), 'utf8')));

/** Writes under another name and renames, because other processes read it. */
const write = (file, text) => {
  mkdirSync(CACHE, { recursive: true });
  const unfinished = resolve(CACHE, `${process.pid}-${Math.random()}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
};

/** Returns the bundle that was made of the files as they are now, `null` when there is none. */
const findBundle = (record) => {
  try {
    const { files, state, bundle } = JSON.parse(readFileSync(record, 'utf8'));
    return state === stateOf(files) ? bundle : null;
  } catch {
    return null;
  }
};

const makeBundle = (entry, record) => {
  const { outputFiles, metafile } = require('esbuild').buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // CommonJS has no `import.meta`. Packages are found from the bundle's folder too.
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
    sourcemap: 'inline',
    sourceRoot: ROOT,
    metafile: true,
    write: false,
  });
  const [{ text }] = outputFiles;
  const files = Object.keys(metafile.inputs);
  const bundle = resolve(CACHE, `${hash(text)}.cjs`);
  write(bundle, text);
  write(record, JSON.stringify({ files, state: stateOf(files), bundle }));
  return bundle;
};

const bundles = new Map();

/** Returns the path of a CommonJS file with `entry` and all of ours that it imports. It is made when one of them changed. */
exports.bundleOf = (entry) => {
  const record = resolve(CACHE, `${hash(VERSION, entry)}.json`);
  if (!bundles.has(entry)) bundles.set(entry, findBundle(record) ?? makeBundle(entry, record));
  return bundles.get(entry);
};
