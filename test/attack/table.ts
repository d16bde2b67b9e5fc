import type { Verdict } from './runner.ts';

const COLUMNS = [28, 10, 8, 10, 9] as const;

const line = (cells: readonly string[], last: string): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(COLUMNS[i]!) : cell.padStart(COLUMNS[i]!))).join('') +
  `  ${last}`;

export const TABLE_HEAD = line(['attack', 'requests', 'worst', '/healthz', 'took'], 'verdict');

/** Returns a line for the table, and one more for each fault. */
export const rowOf = ({ name, requests, worstStatus, slowestHealthMs, seconds, faults }: Verdict): string => {
  const cells = [
    name,
    requests,
    worstStatus ?? 'none',
    `${Math.round(slowestHealthMs)} ms`,
    `${seconds.toFixed(1)} s`,
  ];
  const row = line(cells.map(String), faults.length === 0 ? 'holds' : 'BROKEN');
  return [row, ...faults.map((fault) => `    ${fault}`)].join('\n');
};
