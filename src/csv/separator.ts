/** What stands between the cells of a CSV file. */

const SEPARATORS = [',', ';', '\t'] as const;

/** The line by which a file tells spreadsheets what stands between its cells. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n)/i;

/** What separates cells, and the text without a line that only says so. */
export interface Separated {
  readonly separator: string;
  readonly text: string;
}

/**
 * Finds what separates the cells: what a first line `sep=;` says, else the comma, semicolon or tab that the header row
 * has most often outside of quotes.
 *
 * @param beginning The header row, and whatever follows it.
 */
export const findSeparator = (beginning: string): Separated => {
  const [line = '', separator] = SEPARATOR_LINE.exec(beginning) ?? [];
  if (separator !== undefined) return { separator, text: beginning.slice(line.length) };
  const [header = ''] = beginning.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((separator) => ({
    separator,
    count: header.split(separator).length - 1,
    at: header.indexOf(separator),
  }));
  const [most] = counts.sort((a, b) => b.count - a.count || a.at - b.at);
  return { separator: most!.count === 0 ? ',' : most!.separator, text: beginning };
};
