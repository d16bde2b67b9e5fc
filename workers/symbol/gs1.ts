/** Element strings of GS1 as symbols hold them. Their content has been checked before, in `src/gs1/`. */

/** Stands for FNC1 between elements: GS1 General Specifications, 7.8.3. */
export const SEPARATOR = '\u001d';
/** What a scanner sends before the data of a QR code with FNC1 in first position: ISO/IEC 15424. */
export const SYMBOLOGY_IDENTIFIER = ']Q3';

/** Characters of AI and value by the first two digits: GS1 General Specifications, 7.8.5, pre-defined lengths. */
const FIXED: ReadonlyMap<string, number> = new Map([
  ['00', 20],
  ...['01', '02', '03'].map((start) => [start, 16] as const),
  ['04', 18],
  ...['11', '12', '13', '14', '15', '16', '17', '18', '19'].map((start) => [start, 8] as const),
  ['20', 4],
  ...['31', '32', '33', '34', '35', '36'].map((start) => [start, 10] as const),
  ['41', 16],
]);

/** Returns the characters of AI and value together where no separator follows them; `undefined`: one must. */
export const fixedLengthOf = (ai: string): number | undefined => FIXED.get(ai.slice(0, 2));

/** An AI and its value. */
export interface Pair {
  readonly ai: string;
  readonly value: string;
}

/** Writes elements without FNC1 in first position, for which a symbol has an indicator of its own. */
export const joinElements = (elements: readonly Pair[]): string =>
  elements
    .map(({ ai, value }, i) => {
      const ends = i === elements.length - 1 || fixedLengthOf(ai) !== undefined;
      return `${ai}${value}${ends ? '' : SEPARATOR}`;
    })
    .join('');

/** Returns where the data of a text begins that a scanner sent: after its identifier and the FNC1 in first position. */
export const startOf = (text: string): number => {
  const start = text.startsWith(SYMBOLOGY_IDENTIFIER) ? SYMBOLOGY_IDENTIFIER.length : 0;
  return text[start] === SEPARATOR ? start + 1 : start;
};

/** Whether a text begins as an element string, in brackets or as scanners send it. */
export const looksLikeElements = (text: string): boolean =>
  /^(?:\(\d{2,4}\)|\]Q3)/.test(text) || text.startsWith(SEPARATOR);

/** Returns the elements of a valid element string with its AIs in brackets. */
export const elementsOf = (text: string): readonly Pair[] =>
  text
    .slice(1)
    .split(/(?<!\\)\(/)
    .map((element) => {
      const digits = element.indexOf(')');
      return { ai: element.slice(0, digits), value: element.slice(digits + 1).replaceAll('\\(', '(') };
    });

/** Returns what a symbol holds for a valid element string in any form, and what readers read in it. */
export const messageOf = (text: string): string => {
  if (!text.startsWith('(')) {
    return text.slice(startOf(text), text.endsWith(SEPARATOR) ? -1 : undefined);
  }
  return joinElements(elementsOf(text));
};
