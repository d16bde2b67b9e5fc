/** The hook of `typescript.mjs`, on the thread of Node's loader. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { bundledPackages } from './packages.mjs';

const OPTIONS = {
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  tsconfigRaw: {
    compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx', jsxImportSource: 'preact' },
  },
};
/** Folder of transformed files, named by the hash of their source. `before.ts` bounds it. */
const CACHE = new URL('../../../node_modules/.cache/tessera-tests/', import.meta.url);
const VERSION = createHash('sha1')
  .update(readFileSync(new URL(import.meta.url)))
  .digest('hex');

const readCached = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

const transform = async (source, sourcefile) => {
  const esbuild = await import('esbuild');
  const loader = sourcefile.endsWith('x') ? 'tsx' : 'ts';
  return (await esbuild.transform(source, { ...OPTIONS, loader, sourcefile })).code;
};

const packages = bundledPackages();

/** Modules of ours name each other by their files, so nothing has to be looked up. */
const isOwn = (specifier, parent = '') =>
  /^\.\.?\/.*\.tsx?$/.test(specifier) && parent.startsWith('file:') && !parent.includes('/node_modules/');

export const resolve = (specifier, context, next) => {
  const url = isOwn(specifier, context.parentURL)
    ? new URL(specifier, context.parentURL).href
    : packages.get(specifier);
  return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true };
};

/** Loads a module of a package as Node does, without the hooks of tap, which read each file once more. */
const loadInstalled = (url, context, next) => {
  const { format } = context;
  if (format === 'commonjs') return { format, source: null, shortCircuit: true };
  if (format === 'module') return { format, source: readFileSync(new URL(url)), shortCircuit: true };
  return next(url, context);
};

export const load = async (url, context, next) => {
  const [address = ''] = url.split('?');
  if (address.startsWith('file:') && address.includes('/node_modules/'))
    return loadInstalled(address, context, next);
  if (!address.startsWith('file:') || !/\.tsx?$/.test(address)) return next(url, context);
  const path = fileURLToPath(address);
  const source = await readFile(path, 'utf8');
  const cached = new URL(createHash('sha1').update(`${VERSION} ${path} ${source}`).digest('hex'), CACHE);
  let code = readCached(cached);
  if (code === null) {
    code = await transform(source, path);
    mkdirSync(CACHE, { recursive: true });
    // Renamed when complete, because other processes read it.
    const written = new URL(`${process.pid}-${threadId}-${Math.random()}`, CACHE);
    writeFileSync(written, code);
    renameSync(written, cached);
  }
  return { format: 'module', source: code, shortCircuit: true };
};
