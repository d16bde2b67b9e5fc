/**
 * Cells of CSV files that a spreadsheet would evaluate instead of showing. Runs in the gateway, the CLI and
 * browsers.
 */

/** What spreadsheets skip before they look at a cell. */
const SKIPPED = /^[\s\p{C}]+/u;
/** `;` ends a cell where the decimal separator is a comma; what follows it would be the next cell. */
const BEGINS_FORMULA = /^[=+\-@;]/;
const LEAVES_CELL = /^[\t\r\n]/;

/**
 * Returns a text that every spreadsheet shows and none evaluates. A text that might be evaluated gets an apostrophe in
 * front. So does a text that begins with a tab or a line break, and one whose first character only looks like a sign,
 * such as the full-width forms: some programs treat these alike (Unicode NFKC).
 */
export const asText = (text: string): string => {
  const [first = ''] = text.replace(SKIPPED, '');
  return LEAVES_CELL.test(text) || BEGINS_FORMULA.test(first.normalize('NFKC')) ? `'${text}` : text;
};

/** Returns the text for which `asText` gave this one. */
export const readText = (text: string): string =>
  text.startsWith("'") && asText(text.slice(1)) === text ? text.slice(1) : text;
