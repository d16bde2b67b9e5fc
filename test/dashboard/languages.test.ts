/** The words of the dashboard: every sentence has one in each language, and none stands there in English only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import ts from 'typescript';
import { findWords, translate } from '../../src/dashboard/words/find.mjs';

const ROOT = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));
const sources = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
  .map((entry) => `${entry.parentPath}/${entry.name}`)
  .filter((path) => !path.endsWith('/api/types.ts'))
  .concat(['../lists.ts', '../../workers/lists.ts'].map((path) => join(ROOT, path)))
  .map((path) => ({ path: relative(ROOT, path), source: readFileSync(path, 'utf8') }));

type Words = Readonly<Record<string, string | { readonly one: string; readonly other: string }>>;
const languages = readdirSync(`${ROOT}words`)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(`${ROOT}words/${name}`, 'utf8')) as Words] as const);

const said = new Map<string, boolean>();
for (const { path, source } of sources)
  for (const { text, isPlural } of findWords(source, path)) said.set(text, isPlural);
said.set(/<noscript>([^<]*)/.exec(readFileSync(`${ROOT}index.html`, 'utf8'))?.[1] ?? '', false);

/** The places of values and elements in a sentence. */
const placesOf = (text: string): string => [...new Set(text.match(/\{\w+\}|<\w+>/g))].sort().join(' ');

for (const [name, words] of languages) {
  t.test(`${name} has all that is said, and nothing else`, async (t) => {
    t.strictSame(
      [...said.keys()].filter((text) => words[text] === undefined),
      [],
      'missing',
    );
    t.strictSame(
      Object.keys(words).filter((text) => !said.has(text)),
      [],
      'not said any more',
    );
  });

  t.test(`${name} has the same places, and forms where there is a number`, async (t) => {
    for (const [text, own] of Object.entries(words)) {
      t.equal(typeof own === 'object', said.get(text) ?? false, text);
      const forms = typeof own === 'object' ? [own.other] : [own];
      for (const form of forms) t.equal(placesOf(form), placesOf(text), text);
    }
  });
}

/** Attributes whose text a person sees or hears. */
const SEEN =
  /^(title|label|legend|hint|help|placeholder|alt|what|name|data-name|data-unit|action|aria-label|caption|about|yes|no|lead)$/;
const ENGLISH = /[A-Za-z]{2}.* [a-z]|^[A-Z][a-z]+$/;

/** Texts that a screen shows but does not say. `code` and `kbd` hold what is typed as it stands. */
const unsaid = (source: string, path: string): readonly string[] => {
  const found: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && /^(code|kbd)$/.test(node.openingElement.tagName.getText())) return;
    if (ts.isJsxText(node) && /[A-Za-z]{2}/.test(node.text)) found.push(node.text.trim());
    if (
      ts.isJsxAttribute(node) &&
      SEEN.test(node.name.getText()) &&
      node.initializer !== undefined &&
      ts.isStringLiteral(node.initializer) &&
      ENGLISH.test(node.initializer.text)
    )
      found.push(node.initializer.text);
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return found;
};

t.test('numbers and dates are written in the language of the page', async (t) => {
  const ofBrowser = /Intl\.\w+\(undefined|\.toLocale\w*String\(\)/;
  t.strictSame(
    sources.filter(({ source }) => ofBrowser.test(source)).map(({ path }) => path),
    [],
  );
});

t.test('no screen shows words that are not said', async (t) => {
  const NAMES = ['Tessera', 'PNG', 'SVG', 'SHA-256', 'px'];
  for (const { path, source } of sources)
    t.strictSame(
      unsaid(source, path).filter((text) => !NAMES.includes(text)),
      [],
      path,
    );
  t.strictSame(unsaid('const A = () => <p title="Two words">Some text {x}</p>;', 'a.tsx'), [
    'Two words',
    'Some text',
  ]);
});

t.test('words are found in calls and put into the language, with their forms', async (t) => {
  const source = `say(busy ? 'Saving' : 'Save'); say({ one: '{n} code', other: '{n} codes' }, { n }); count(n, 'row', "rows");`;
  t.strictSame(
    findWords(source, 'a.ts').map(({ text, isPlural }) => [text, isPlural]),
    [
      ['Saving', false],
      ['Save', false],
      ['{n} codes', true],
      ['row', false],
      ['rows', false],
    ],
  );
  t.equal(
    translate(source, 'a.ts', { Save: 'Sichern', '{n} codes': { one: '{n} Stück', other: '{n} Stücke' } }),
    `say(busy ? 'Saving' : "Sichern"); say({"one":"{n} Stück","other":"{n} Stücke"}, { n }); count(n, 'row', "rows");`,
  );
  t.strictSame(
    findWords(
      `const EVENTS = { done: 'Done' }; const PARAMETERS = { a: { title: 'A', field: 'b' } };`,
      'lists.ts',
    ).map(({ text }) => text),
    ['Done', 'A'],
  );
  t.throws(() => findWords('say(text)', 'a.ts'), /a\.ts: the words are not a literal: text/);
});
