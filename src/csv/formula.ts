/**
 * Cells of CSV files that a spreadsheet would evaluate instead of showing. Runs in the gateway, the CLI and
 * browsers.
 */

/** What spreadsheets skip at the start of a cell. */
const SKIPPED = /^[\s\p{C}]+/u;
/** `;` is the delimiter in locales with a decimal comma, so what follows it would be the next cell. */
const BEGINS_FORMULA = /^[=+\-\u2212@;]/;
const LEAVES_CELL = /^[\t\r\n]/;

/** Whether a spreadsheet might evaluate the text if the apostrophes at its beginning were missing. */
const isRisky = (text: string): boolean => {
  const bare = text.replace(/^'+/, '');
  const [first = ''] = bare.replace(SKIPPED, '');
  return LEAVES_CELL.test(bare) || BEGINS_FORMULA.test(first.normalize('NFKC'));
};

/**
 * Returns a text that every spreadsheet displays and none evaluates. A text that might be evaluated is prefixed with an
 * apostrophe, and so is one that has apostrophes in front of such a text. So is one that begins with a tab or a line break, or with a lookalike of a sign, such as the full-width
 * forms: some programs treat these the same (Unicode NFKC).
 */
export const asText = (text: string): string => (isRisky(text) ? `'${text}` : text);

/** Undoes `asText`. */
export const readText = (text: string): string =>
  text.startsWith("'") && isRisky(text) ? text.slice(1) : text;
