/** Detects the delimiter of a CSV file. */

const SEPARATORS = [',', ';', '\t'] as const;

/** The line in which a file tells spreadsheets its delimiter. */
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\r|\n)/i;

/** The delimiter, and the text without a line that declares it. */
export interface Separated {
  readonly separator: string;
  readonly text: string;
}

/**
 * Finds the delimiter: the one declared by a first line `sep=;`, else the comma, semicolon or tab that is most frequent
 * in the header row outside of quotes.
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
