import { printable } from './terminal.ts';

type Cell = string | number | null;

const textOf = (cell: Cell): string =>
  typeof cell === 'number' ? cell.toLocaleString('en-US') : printable(cell ?? '–');

/** Lays out a table: columns under their headings, numbers aligned right. Ends with a newline. Safe to print. */
export const table = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string => {
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

/** Lays out one thing: a line for each field. Safe to print. */
export const fields = (pairs: readonly (readonly [string, Cell])[]): string => {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, cell]) => `${name.padEnd(width)}  ${textOf(cell)}\n`).join('');
};
