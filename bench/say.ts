/** Figures, tables and verdicts as text, and lines on the terminal. */

/** Cells as text; the first column holds the names of the rows. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Writes a line to the terminal. */
export const say = (line = ''): void => void process.stdout.write(`${line}\n`);

/** Returns a number with three significant digits, thousands in full: 0.123, 4.56, 78.9, 1234. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1000) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
};

/** Returns a share as a percentage, with one decimal below 10 %. */
export const percent = (share: number): string => `${(share * 100).toFixed(Math.abs(share) < 0.1 ? 1 : 0)} %`;

/** Makes a table with a row for each item. Numbers are formatted by `figure`, and `null` becomes a dash. */
export const tableOf = <T>(
  all: readonly T[],
  columns: readonly (readonly [head: string, cell: (one: T) => string | number | null])[],
): Table => ({
  head: columns.map(([head]) => head),
  rows: all.map((one) =>
    columns.map(([, cell]) => {
      const value = cell(one);
      return typeof value === 'string' ? value : figure(value ?? Number.NaN);
    }),
  ),
});

/** Returns lines with columns as wide as their widest cell; the first is left-aligned, the others are right-aligned. */
export const aligned = ({ head, rows }: Table): string => {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  return all.map(line).join('\n');
};

/** Writes a table to the terminal, after an empty line. */
export const show = (table: Table): void => say(`\n${aligned(table)}`);

/** A measured value, and its limit if it has one. */
export interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** `null` when the value has no limit. */
  readonly limit: number | null;
  readonly isMet: boolean;
}

/** Returns a verdict that is met when `value` does not exceed `limit`, if it has one. */
export const atMost = (what: string, value: number, limit: number | null, unit: string): Verdict => ({
  ...{ what, value, limit, unit },
  isMet: limit === null || value <= limit,
});
/** Returns a value without a limit. */
export const measured = (what: string, value: number, unit: string): Verdict =>
  atMost(what, value, null, unit);
/** Returns a verdict that is met when `value` reaches `limit`. */
export const atLeast = (what: string, value: number, limit: number, unit: string): Verdict => ({
  ...{ what, value, limit, unit },
  isMet: value >= limit,
});

const withUnit = (value: number, unit: string): string => `${figure(value)} ${unit}`.trim();

/** Prints values and limits, and marks the missed ones. */
export const verdictTable = (title: string, verdicts: readonly Verdict[]): Table =>
  tableOf(verdicts, [
    [title, ({ what }) => what],
    ['measured', ({ value, unit }) => withUnit(value, unit)],
    ['wanted', ({ limit, unit }) => (limit === null ? '' : withUnit(limit, unit))],
    ['', ({ limit, isMet }) => (limit === null ? '' : isMet ? 'met' : 'MISSED')],
  ]);
