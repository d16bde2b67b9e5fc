/**
 * Finds the words of the dashboard in its sources: the literals given to `say`, `sayWith`, `count` and `unitOf`, and those
 * of lists that it shares with the service.
 */
import ts from 'typescript';

/**
 * A text for the reader as the sources have it. `text` names it in the files of words: of a plural it is the form
 * `other`.
 *
 * @typedef {{ text: string, isPlural: boolean, start: number, end: number }} Found
 */

/** The arguments of each function that are words. */
const WORDS_OF = { say: [0], sayWith: [0], count: [1, 2], unitOf: [1, 2] };

/** Lists in `src/lists.ts` and `workers/lists.ts` whose values are words, except for those called `field`. */
const LISTS = /^(BREAKDOWNS|EVENTS|DOT_TYPES|CORNER_TYPES|PARAMETERS)$/;

/** @returns {string | undefined} The text of a plural's form `other`, if the object has nothing but forms. */
const otherOf = (/** @type {ts.ObjectLiteralExpression} */ object) => {
  const other = object.properties.find((form) => form.name?.getText() === 'other');
  return other && ts.isPropertyAssignment(other) && ts.isStringLiteralLike(other.initializer)
    ? other.initializer.text
    : undefined;
};

/**
 * Returns all texts of a source, in their order.
 *
 * @throws {Error} When one of them is not a literal, so that it cannot be found in a file of words.
 * @returns {Found[]}
 */
export const findWords = (/** @type {string} */ source, /** @type {string} */ path) => {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  /** @type {Found[]} */
  const found = [];
  const add = (/** @type {ts.Expression} */ words) => {
    if (ts.isConditionalExpression(words)) {
      add(words.whenTrue);
      add(words.whenFalse);
      return;
    }
    const isPlural = ts.isObjectLiteralExpression(words);
    const text = isPlural ? otherOf(words) : ts.isStringLiteralLike(words) ? words.text : undefined;
    if (text === undefined) throw new Error(`${path}: the words are not a literal: ${words.getText()}`);
    found.push({ text, isPlural, start: words.getStart(), end: words.getEnd() });
  };
  const look = (/** @type {ts.Node} */ node, isInList = false) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const places = WORDS_OF[/** @type {keyof WORDS_OF} */ (node.expression.text)] ?? [];
      for (const [index, words] of node.arguments.entries()) if (places.includes(index)) add(words);
    }
    const isListed = isInList || (ts.isVariableDeclaration(node) && LISTS.test(node.name.getText()));
    if (isListed && ts.isPropertyAssignment(node) && node.name.getText() !== 'field') {
      if (ts.isStringLiteralLike(node.initializer)) add(node.initializer);
    }
    ts.forEachChild(node, (child) => look(child, isListed));
  };
  look(file);
  return found.sort((a, b) => a.start - b.start);
};

/**
 * Returns a source with its texts in another language. A text that the words lack stays English: the tests find it.
 *
 * @param {Readonly<Record<string, string | { readonly one: string, readonly other: string }>>} words
 */
export const translate = (
  /** @type {string} */ source,
  /** @type {string} */ path,
  /** @type {Readonly<Record<string, string | { readonly one: string, readonly other: string }>>} */ words,
) => {
  let translated = '';
  let at = 0;
  for (const { text, start, end } of findWords(source, path)) {
    const own = words[text];
    if (own === undefined) continue;
    translated += source.slice(at, start) + JSON.stringify(own);
    at = end;
  }
  return translated + source.slice(at);
};
