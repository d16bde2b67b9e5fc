import { toPrintable } from './terminal.ts';

const textOf = (cell: unknown): string =>
  typeof cell === 'number' ? cell.toLocaleString('en-US') : toPrintable(String(cell ?? '–'));

/** Lays out a table: columns under their headings, numbers aligned right. Ends with a newline. Safe to print. */
export const formatTable = (headings: readonly string[], rows: readonly (readonly unknown[])[]): string => {
  const isNumber = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const lines = [headings, ...rows.map((row) => row.map(textOf))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const format = (line: readonly string[]): string =>
    line
      .map((text, column) =>
        isNumber[column] ? text.padStart(widths[column]!) : text.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd();
  return `${lines.map(format).join('\n')}\n`;
};

/** Lays out rows as `formatTable`. @param columns The fields of a row, by their headings. */
export const formatRows = <Row extends object>(
  rows: readonly Row[],
  columns: Readonly<Record<string, keyof Row>>,
): string =>
  formatTable(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((field) => row[field])),
  );

/** Lays out one thing: a line for each field. Safe to print. */
export const formatFields = (pairs: readonly (readonly [string, unknown])[]): string => {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, cell]) => `${name.padEnd(width)}  ${textOf(cell)}\n`).join('');
};

/** Lays out one thing as `formatFields`. @param names Fields by their names for people; missing ones are left out. */
export const formatThing = <Thing extends object>(
  thing: Thing,
  names: Readonly<Record<string, keyof Thing>>,
): string =>
  formatFields(
    Object.entries(names).flatMap(([name, field]) =>
      thing[field] === undefined ? [] : [[name, thing[field]] as const],
    ),
  );
