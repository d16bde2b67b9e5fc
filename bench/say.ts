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

/** Returns lines with columns as wide as their widest cell; the first is left-aligned, the others are right-aligned. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  return all.map(line).join('\n');
};
