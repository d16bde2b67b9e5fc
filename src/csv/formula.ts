/**
 * Cells of CSV files that a spreadsheet would evaluate instead of showing. Runs in the gateway, the CLI and
 * browsers.
 */

/** What spreadsheets skip at the start of a cell. */
const SKIPPED = /^[\s\p{C}]+/u;
/** `;` is the delimiter in locales with a decimal comma, so what follows it would be the next cell. */
const BEGINS_FORMULA = /^[=+\-@;]/;
const LEAVES_CELL = /^[\t\r\n]/;

/**
 * Returns a text that every spreadsheet displays and none evaluates. A text that might be evaluated is prefixed with an
 * apostrophe. So is one that begins with a tab or a line break, or with a lookalike of a sign, such as the full-width
 * forms: some programs treat these the same (Unicode NFKC).
 */
export const asText = (text: string): string => {
  const [first = ''] = text.replace(SKIPPED, '');
  return LEAVES_CELL.test(text) || BEGINS_FORMULA.test(first.normalize('NFKC')) ? `'${text}` : text;
};

/** Undoes `asText`. */
export const readText = (text: string): string =>
  text.startsWith("'") && asText(text.slice(1)) === text ? text.slice(1) : text;
