/**
 * Sentences for the reader. They stand in English where they are said; builds of other languages have those of
 * `words/<language>.json` in their places. The words must therefore be literals in the call.
 */

/** A sentence by the number `n` in it. */
interface Plural {
  readonly one: string;
  readonly other: string;
}

const formOf = (words: string | Plural, n: unknown): string => {
  if (typeof words === 'string') return words;
  return plurals.select(Number(n)) === 'one' ? words.one : words.other;
};

const written = (value: string | number): string =>
  typeof value === 'number' ? numbers.format(value) : value;

/** Returns words with values in the places of their `{names}`; a name that has none stays. Numbers are written as the reader does. */
export const say = (
  words: string | Plural,
  values: Readonly<Record<string, string | number | null | undefined>> = {},
): string =>
  formOf(words, values.n).replace(/\{(\w+)\}/g, (place, name: string) =>
    name in values ? written(values[name] ?? '') : place,
  );

/**
 * As `say`, with elements: `{name}` is the place of one, and in `<name>words</name>` the words are given to a function
 * that makes it.
 */
export const sayWith = <T>(
  words: string | Plural,
  parts: Readonly<Record<string, T | number | ((words: string) => T)>>,
): readonly (T | string)[] => {
  const said: (T | string)[] = [];
  let at = 0;
  const form = formOf(words, parts.n);
  for (const match of form.matchAll(/<(\w+)>(.*?)<\/\1>|\{(\w+)\}/g)) {
    const [whole, tag, inner = '', name = ''] = match;
    const part = parts[tag ?? name];
    said.push(form.slice(at, match.index));
    if (part instanceof Function) said.push(part(inner));
    else if (name !== '' && !(name in parts)) said.push(whole);
    else if (part !== undefined) said.push(typeof part === 'number' ? numbers.format(part) : part);
    at = match.index + whole.length;
  }
  return [...said, form.slice(at)];
};

/** The language of this build. */
export const LANGUAGE = say('en');

const own = new Intl.NumberFormat().resolvedOptions().locale;
/** The browser's own locale, such as `de-AT`, if it is one of the language of the words; otherwise that language. */
export const LOCALE = own.split('-')[0] === LANGUAGE ? own : LANGUAGE;

const plurals = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE);
