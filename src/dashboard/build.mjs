/** Bundles the dashboard into `dist/dashboard`: a page for each language, and hashed files in `assets/`, also compressed. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { translate } from './words/find.mjs';

const sources = fileURLToPath(new URL('./', import.meta.url));
const target = fileURLToPath(new URL('../../dist/dashboard/', import.meta.url));
const assets = join(target, 'assets');
const page = await readFile(join(sources, 'index.html'), 'utf8');

/** Puts the words of a language into the sources as they are read. */
const inWords = (/** @type {Readonly<Record<string, any>>} */ words) => ({
  name: 'words',
  setup: (/** @type {import('esbuild').PluginBuild} */ { onLoad }) =>
    onLoad(
      { filter: /(src[\\/]dashboard[\\/].*|[\\/](src|workers)[\\/]lists)\.tsx?$/ },
      async ({ path }) => ({
        contents: translate(await readFile(path, 'utf8'), path, words),
        loader: path.endsWith('x') ? 'tsx' : 'ts',
      }),
    ),
});

/** Builds the page in one language. Files whose content is that of another language's have its name too. */
const buildPage = async (
  /** @type {string} */ language,
  /** @type {Readonly<Record<string, any>>} */ words,
) => {
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
    plugins: language === 'en' ? [] : [inWords(words)],
  });
  const outputs = Object.entries(metafile.outputs);
  const [script = ''] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('/main.tsx')) ?? [];
  const [icon = ''] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith('icon.svg')) ?? [];
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
  const names = {
    script: basename(script),
    style: basename(metafile.outputs[script]?.cssBundle ?? ''),
    icon: basename(icon),
  };
  await writeFile(
    join(target, `${language}.html`),
    page
      .replace('lang="en"', `lang="${language}"`)
      .replace(/(?<=<noscript>)[^<]*/, (sentence) => words[sentence] ?? sentence)
      .replace('"{{parts}}"', () => JSON.stringify(parts))
      .replace(/\{\{(\w+)\}\}/g, (_, name) => names[name]),
  );
};

await rm(target, { recursive: true, force: true });
await mkdir(assets, { recursive: true });
await buildPage('en', {});
for (const file of await readdir(join(sources, 'words'))) {
  if (!file.endsWith('.json')) continue;
  await buildPage(basename(file, '.json'), JSON.parse(await readFile(join(sources, 'words', file), 'utf8')));
}

for (const name of await readdir(assets)) {
  const bytes = await readFile(join(assets, name));
  await writeFile(join(assets, `${name}.br`), await promisify(brotliCompress)(bytes));
  await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
}
