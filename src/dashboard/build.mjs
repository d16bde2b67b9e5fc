/** Bundles the dashboard into `dist/dashboard`: the page, and hashed files in `assets/`, each also compressed. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'esbuild';

const sources = fileURLToPath(new URL('./', import.meta.url));
const target = fileURLToPath(new URL('../../dist/dashboard/', import.meta.url));
const assets = join(target, 'assets');

await rm(target, { recursive: true, force: true });
await mkdir(assets, { recursive: true });

const { metafile } = await build({
  entryPoints: { app: join(sources, 'main.tsx'), icon: join(sources, 'icon.svg') },
  outdir: assets,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  metafile: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.svg': 'copy' },
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
});

const outputs = Object.entries(metafile.outputs);
const named = (/** @type {string} */ entry, /** @type {string} */ ending) =>
  basename(
    outputs.find(([path, { entryPoint }]) => entryPoint?.endsWith(entry) && path.endsWith(ending))?.[0] ?? '',
  );
const [script = ''] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('/main.tsx')) ?? [];
const names = {
  script: basename(script),
  style: basename(metafile.outputs[script]?.cssBundle ?? ''),
  icon: named('icon.svg', '.svg'),
};
/** A script and everything that it imports statically. */
const withImports = (/** @type {string} */ path, /** @type {Set<string>} */ found = new Set()) => {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: imported, kind } of metafile.outputs[path]?.imports ?? []) {
    if (kind === 'import-statement') withImports(imported, found);
  }
  return found;
};
const loadedAtOnce = withImports(script);
const parts = Object.fromEntries(
  outputs
    .filter(([path, { entryPoint }]) => entryPoint?.endsWith('.tsx') && path !== script)
    .map(([path, { entryPoint = '' }]) => [
      basename(entryPoint, '.tsx'),
      [...withImports(path)].filter((file) => !loadedAtOnce.has(file)).map((file) => basename(file)),
    ]),
);
const page = await readFile(join(sources, 'index.html'), 'utf8');
await writeFile(
  join(target, 'index.html'),
  page
    .replace('"{{parts}}"', () => JSON.stringify(parts))
    .replace(/\{\{(\w+)\}\}/g, (_, name) => names[name]),
);

for (const name of await readdir(assets)) {
  const bytes = await readFile(join(assets, name));
  await writeFile(join(assets, `${name}.br`), await promisify(brotliCompress)(bytes));
  await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
}
