/** All figures of reports as a table for spreadsheets. */
import { stringify } from 'csv-stringify/sync';
import { figuresOf } from './figures.ts';
import type { SavedReport } from './read.ts';

const COLUMNS = ['at', 'commit', 'report', 'figure', 'of', 'measure', 'round', 'value'];

/**
 * Returns CSV (RFC 4180) with a line of column names, and a line for each round of each figure. Rounds count from 1.
 */
export const figuresAsCsv = (reports: readonly SavedReport[]): string =>
  stringify([
    COLUMNS,
    ...reports.flatMap((report) =>
      figuresOf(report).flatMap(({ name, of, measure, values }) =>
        values.map((value, i) => [
          report.at,
          report.machine.commit,
          report.kind,
          name,
          Object.values(of).join(', '),
          measure,
          i + 1,
          value,
        ]),
      ),
    ),
  ]);
