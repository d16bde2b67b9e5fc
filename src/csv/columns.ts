/**
 * The columns that a CSV file of codes may have: the fields of a bulk item, with dots before inner fields. Words for
 * true and false are those that people and spreadsheets of several languages write.
 */
import { ok, type Result, refused } from '../result.ts';

const TRUE =
  'true 1 yes y on t x ✓ ✔ ✅ wahr ja j vrai oui o verdadero si sí s vero sì verdadeiro sim waar sant sand tosi kyllä prawda tak истина да'.split(
    ' ',
  );
const FALSE =
  'false 0 no n off f - – ✗ ✘ ❌ falsch nein faux non falso não nao onwaar nee falskt falsk usann epätosi ei fałsz nie ложь нет'.split(
    ' ',
  );

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...TRUE.map((word) => [word, true] as const),
  ...FALSE.map((word) => [word, false] as const),
]);

/** Returns the meaning of a word, ignoring case and surrounding whitespace; `null` for other words. */
export const truthOf = (text: string): boolean | null =>
  WORDS.get(text.trim().normalize('NFC').toLowerCase()) ?? null;

/** The parts of a JSON schema that decide how a cell is read. */
export interface FieldSchema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
}

/** The value of a cell, or what is wrong with its text. */
type Cell = Result<unknown, string>;

/** One field of an item, and how its cells are read. */
export interface FieldColumn {
  /** As written in the header row, for example `dotsOptions.color`. */
  readonly name: string;
  /** Where in the item the value belongs. */
  readonly path: readonly string[];
  read(text: string): Cell;
}

/** Maximum characters of a cell whose field has no limit of its own. Spreadsheets have the same limit. */
export const CELL_MAX_LENGTH = 32_767;

// The pattern is unambiguous: otherwise backtracking would take quadratic time on a long run of digits.
const readNumber = (text: string): Cell =>
  /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? ok(Number(text)) : refused('must be a number');

const readBoolean = (text: string): Cell => {
  const truth = truthOf(text);
  return truth === null ? refused('must be true or false') : ok(truth);
};

const readJson = (text: string): Cell => {
  try {
    return ok(JSON.parse(text));
  } catch {
    return refused('must be JSON');
  }
};

/** A list of texts is JSON, or texts delimited by `;`. */
const readTexts = (text: string): Cell =>
  /^\s*\[/.test(text)
    ? readJson(text)
    : ok(
        text
          .split(';')
          .map((each) => each.trim())
          .filter((each) => each !== ''),
      );

const READERS: ReadonlyMap<string | undefined, (text: string) => Cell> = new Map([
  ['integer', readNumber],
  ['number', readNumber],
  ['boolean', readBoolean],
  ['object', readJson],
  ['array', readJson],
]);

/** Returns the cell unchanged. */
export const readText = (text: string): Cell => ok(text);

/** Returns a reader that refuses longer texts, to bound the memory of a row. */
export const limitLength =
  (maxLength: number, read: (text: string) => Cell) =>
  (text: string): Cell =>
    text.length > maxLength ? refused(`must have at most ${maxLength} characters`) : read(text);

/** Returns all columns of an item, in the order of its schema. */
export const columnsOf = (schema: FieldSchema, path: readonly string[] = []): readonly FieldColumn[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
    const here = [...path, name];
    const isTexts = child.type === 'array' && child.items?.type === 'string';
    const reader = isTexts ? readTexts : (READERS.get(child.type) ?? readText);
    const read = limitLength(child.maxLength ?? CELL_MAX_LENGTH, reader);
    return [{ name: here.join('.'), path: here, read }, ...columnsOf(child, here)];
  });
