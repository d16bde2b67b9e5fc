/** Cells of CSV files that a spreadsheet would calculate instead of showing. Runs in the gateway, the CLI and browsers. */

/** What spreadsheets skip before they look at a cell. */
const SKIPPED = /^[\s\p{C}]+/u;
/** `;` ends a cell where the decimal separator is a comma; what follows it would be looked at next. */
const BEGINS_FORMULA = /^[=+\-@;]/;
const LEAVES_CELL = /^[\t\r\n]/;

/**
 * A text that every spreadsheet shows as it is: one that it might calculate begins with an apostrophe. So does
 * one that begins with a tab or a line break, and one whose first character only looks like a sign, as the
 * full-width forms do: some programs read them alike (Unicode NFKC).
 */
export const asText = (text: string): string => {
  const [first = ''] = text.replace(SKIPPED, '');
  return LEAVES_CELL.test(text) || BEGINS_FORMULA.test(first.normalize('NFKC')) ? `'${text}` : text;
};
