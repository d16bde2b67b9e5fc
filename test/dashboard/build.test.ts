/** The files built for the browser, checked without a browser. */
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import t from 'tap';

const BUILT = new URL('../../dist/dashboard/', import.meta.url);
const ASSETS = new URL('assets/', BUILT);
const MAX_INITIAL_BYTES = 60_000;

const gzipped = async (name: string): Promise<number> =>
  gzipSync(await readFile(new URL(name, ASSETS))).length;

/** Static imports of a built script, including those of its imports. */
const withImports = async (name: string, found: Set<string>): Promise<Set<string>> => {
  if (found.has(name)) return found;
  found.add(name);
  const text = await readFile(new URL(name, ASSETS), 'utf8');
  for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
    await withImports(imported, found);
  }
  return found;
};

const LANGUAGES = ['en', 'de'] as const;

for (const language of LANGUAGES)
  t.test(`the first screen loads at most 60 kB compressed: ${language}`, async (t) => {
    const page = await readFile(new URL(`${language}.html`, BUILT), 'utf8');
    const named = [...page.matchAll(/\/dashboard\/assets\/([^"]+)"/g)].map(([, name = '']) => name);
    t.ok(named.some((name) => name.endsWith('.js')));
    t.ok(named.some((name) => name.endsWith('.css')));
    const loaded = new Set<string>();
    for (const name of named) {
      if (name.endsWith('.js')) await withImports(name, loaded);
      else loaded.add(name);
    }
    const sizes = await Promise.all([...loaded].map(async (name) => ({ name, bytes: await gzipped(name) })));
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    t.comment(`${total} bytes: ${sizes.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')}`);
    t.ok(total <= MAX_INITIAL_BYTES);
    const scripts = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
    for (const name of scripts.filter((script) => !loaded.has(script))) {
      t.comment(`later: ${name} ${await gzipped(name)}`);
    }
  });

t.test('nothing loads from other hosts, and no script or style is inline', async (t) => {
  const page = await readFile(new URL('en.html', BUILT), 'utf8');
  t.notMatch(page, /https?:/);
  t.notMatch(page, /<style|\sstyle=|<script>|\son[a-z]+=/);
  for (const name of (await readdir(ASSETS)).filter((file) => /\.(js|css)$/.test(file))) {
    const text = await readFile(new URL(name, ASSETS), 'utf8');
    t.notMatch(text, /dangerouslySetInnerHTML:|\beval\(|new Function\(|url\(["']?https?:/, name);
  }
});
