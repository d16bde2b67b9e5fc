/** The style sheets: every size, distance, corner, shadow and colour is a token, and every class is of use. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));

const readAll = (ending: RegExp) =>
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

const sheets = readAll(/\.css$/).map(({ file, text }) => ({
  file,
  text: text.replace(/\/\*[\s\S]*?\*\//g, ''),
}));
const scripts = readAll(/\.tsx?$/).filter(({ file }) => file !== join('api', 'types.ts'));
const tokens = sheets.find(({ file }) => file === join('styles', 'tokens.css'))!.text;
const others = sheets.filter(({ text }) => text !== tokens);

/** The declarations of a style sheet, which stand between `{` or `;` and `;`. */
const declarationsOf = (text: string) =>
  [...text.matchAll(/(?<=[{;]\s*)([\w-]+):\s*([^;{}]+);/g)].map(([, name = '', value = '']) => ({
    name,
    value: value.replace(/\s+/g, ' '),
  }));

const DISTANCES =
  /^(font|font-size|padding|margin|gap|row-gap|column-gap|inset|top|right|bottom|left|border-radius)(-|$)/;
const LENGTH = /(?<![\w-])-?[\d.]+(rem|em|px|pt|ch)\b/g;
const COLOUR =
  /#[\da-f]{3,8}\b|\b(rgb|rgba|hsl|hsla|oklch|light-dark|color-mix)\(|\b(white|black|red|gr[ae]y)\b/i;
/** A line that two boxes share. */
const SHARED_LINE = /^-?1px$/;
/** The widths, and one height, at which screens change. Style sheets cannot take them from a token. */
const WINDOWS = ['44rem', '50rem', '60rem', '75rem'];

const isFree = ({ name, value }: { readonly name: string; readonly value: string }): boolean => {
  if (COLOUR.test(value)) return true;
  if (name === 'box-shadow') return !/^(none|var\(--shadow[\w-]*\))$/.test(value);
  return DISTANCES.test(name) && (value.match(LENGTH) ?? []).some((length) => !SHARED_LINE.test(length));
};

t.test('sizes of type, distances, corners, shadows and colours come from styles/tokens.css', (t) => {
  for (const { file, text } of others) {
    const free = declarationsOf(text).filter(isFree);
    t.strictSame(free, [], `${file}: use a token`);
    const widths = [...text.matchAll(/@media[^{]*/g)].flatMap(([query]) => query.match(LENGTH) ?? []);
    t.strictSame(
      widths.filter((width) => !WINDOWS.includes(width)),
      [],
      `${file}: windows`,
    );
  }
  t.equal(declarationsOf(tokens).filter(({ name }) => name.startsWith('--type-')).length, 5, 'sizes of type');
  t.end();
});

t.test('the rule finds what it is for', (t) => {
  const found = (text: string) => declarationsOf(`a { ${text} }`).filter(isFree).length;
  t.equal(found('padding: var(--space-2) 3px; color: #fff; margin-top: 0.4rem;'), 3);
  t.equal(found('font: 12px sans-serif; border-radius: 8px; box-shadow: 0 1px 2px var(--line);'), 3);
  t.equal(found('margin: 0 auto -1px calc(-1 * var(--space-4)); width: 3rem; inset: -100% auto;'), 0);
  t.end();
});

t.test('every variable that is used is set somewhere, and every token is used', (t) => {
  const all = [...sheets, ...scripts].map(({ text }) => text).join('\n');
  const used = new Set([...all.matchAll(/(?:var\(|['"`])(--[\w-]+)/g)].map(([, name = '']) => name));
  const set = new Set(sheets.flatMap(({ text }) => declarationsOf(text).map(({ name }) => name)));
  const numbered = (name: string) => /^--(series|grade)-/.test(name);
  t.strictSame(
    [...used].filter((name) => !set.has(name) && !numbered(name)),
    [],
  );
  const declared = declarationsOf(tokens).map(({ name }) => name);
  t.strictSame(
    declared.filter((name) => name.startsWith('--') && !used.has(name) && !numbered(name)),
    [],
  );
  t.end();
});

t.test('what a chip says begins with a capital letter', (t) => {
  const chips = /class=(?:"|\{`)chip[^>]*>\s*\{\s*say\(\s*['"]([a-z][^'"]*)/g;
  const found = scripts.flatMap(({ file, text }) =>
    [...text.matchAll(chips)].map(([, words]) => `${file}: ${words}`),
  );
  t.strictSame(found, []);
  t.end();
});

t.test('every class of a style sheet is written by a screen', (t) => {
  const words = new Set(
    scripts.flatMap(({ text }) =>
      [...text.matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)].flatMap(([literal]) => literal.split(/[^\w-]+/)),
    ),
  );
  for (const { file, text } of others) {
    const selectors = [...text.matchAll(/(?:^|[{};])\s*([^{};@]+)(?=\{)/g)].map(
      ([, selector = '']) => selector,
    );
    const classes = new Set(
      selectors.flatMap((each) => [...each.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name)),
    );
    t.strictSame(
      [...classes].filter((name) => !words.has(name)),
      [],
      file,
    );
  }
  t.end();
});
