/** An import as the calls that it makes. */
import type { BulkAnswer } from '../../api/shapes.ts';
import type { CheckedRow } from './rows.ts';

/** The number of items that one call takes at most. */
const CALL_SIZE = 100;

/** What became of one row: a picture or an error. */
export interface Outcome {
  readonly row: CheckedRow;
  /** A PNG as a data URL. */
  readonly picture: string | null;
  /** How well readers read the picture, 0 to 4; `null` without a picture. */
  readonly grade: number | null;
  readonly error: string | null;
}

/** Rows that are sent in one call. */
export interface Call {
  /** Sending a call again under the same key neither makes nor charges anything twice. */
  readonly idempotencyKey: string;
  readonly rows: readonly CheckedRow[];
  /** Rows that were taken out because the service refused the call with them. */
  readonly refused: readonly Outcome[];
  /** `null` until the service has answered. */
  readonly answer: BulkAnswer | null;
  /** The grade of each row of the answer; `null` for a row without a picture. */
  readonly grades: readonly (number | null)[];
}

/** Reads the header `Tessera-Grades`: numbers, and `none` for items without a picture. */
export const readGrades = (header: string | null): readonly (number | null)[] =>
  (header ?? '').split(', ').map((item) => (/^\d$/.test(item) ? Number(item) : null));

/** Divides rows into calls. `run` identifies the import; it must be random visible ASCII. */
export const toCalls = (rows: readonly CheckedRow[], run: string): readonly Call[] =>
  Array.from({ length: Math.ceil(rows.length / CALL_SIZE) }, (_, index) => ({
    idempotencyKey: `import-${run}-${index}`,
    rows: rows.slice(index * CALL_SIZE, (index + 1) * CALL_SIZE),
    refused: [],
    answer: null,
    grades: [],
  }));

/**
 * Returns the call without the row that a refusal (`items.<index>.<field>: <message>`) names; `null` when it names
 * none. The smaller call is another request and so gets a key of its own.
 */
export const withoutRefused = (call: Call, details: string): Call | null => {
  const [, index, error] = /^items\.(\d+)\.?(.*)$/s.exec(details) ?? [];
  const row = index === undefined ? undefined : call.rows[Number(index)];
  if (row === undefined || error === undefined) return null;
  const refused = [...call.refused, { row, picture: null, grade: null, error }];
  return {
    ...call,
    idempotencyKey: `${call.idempotencyKey.replace(/\.\d+$/, '')}.${refused.length}`,
    rows: call.rows.filter((other) => other !== row),
    refused,
  };
};

const outcomeOf = (
  row: CheckedRow,
  result: BulkAnswer['results'][number] | undefined,
  grade: number | null,
): Outcome => {
  if (result?.data !== undefined) return { row, picture: result.data, grade, error: null };
  return {
    row,
    picture: null,
    grade: null,
    error: result?.error ?? 'The service did not answer for this row.',
  };
};

/** Returns the outcomes of all rows of answered calls, in the order of the file. */
export const outcomesOf = (calls: readonly Call[]): readonly Outcome[] =>
  calls
    .flatMap(({ rows, refused, answer, grades }) => [
      ...refused,
      ...(answer === null
        ? []
        : rows.map((row, index) => outcomeOf(row, answer.results[index], grades[index] ?? null))),
    ])
    .sort((a, b) => a.row.number - b.row.number);
