/** An import as the calls that it makes. */
import type { BulkAnswer } from '../../../api/shapes.ts';
import type { CheckedRow } from '../table/rows.ts';

/** The number of items that one call takes at most. */
export const BATCH_SIZE = 100;

/** What became of one row: a picture or an error. */
export interface Outcome {
  readonly row: CheckedRow;
  /** A PNG as a data URL. */
  readonly picture: string | null;
  readonly error: string | null;
}

/** Rows that are sent in one call. */
export interface Batch {
  /** Sending a batch again under the same key neither makes nor charges anything twice. */
  readonly idempotencyKey: string;
  readonly rows: readonly CheckedRow[];
  /** Rows that were taken out because the service refused the batch with them. */
  readonly refused: readonly Outcome[];
  /** `null` until the service has answered. */
  readonly answer: BulkAnswer | null;
}

/** Divides rows into batches. `run` identifies the import; it must be random visible ASCII. */
export const toBatches = (rows: readonly CheckedRow[], run: string): readonly Batch[] =>
  Array.from({ length: Math.ceil(rows.length / BATCH_SIZE) }, (_, index) => ({
    idempotencyKey: `import-${run}-${index}`,
    rows: rows.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    refused: [],
    answer: null,
  }));

/**
 * Returns the batch without the row that a refusal (`items.<index>.<field>: <message>`) names; `null` when it names
 * none. The smaller batch is another request and so gets a key of its own.
 */
export const withoutRefused = (batch: Batch, details: string): Batch | null => {
  const [, index, error] = /^items\.(\d+)\.?(.*)$/s.exec(details) ?? [];
  const row = index === undefined ? undefined : batch.rows[Number(index)];
  if (row === undefined || error === undefined) return null;
  const refused = [...batch.refused, { row, picture: null, error }];
  return {
    ...batch,
    idempotencyKey: `${batch.idempotencyKey.replace(/\.\d+$/, '')}.${refused.length}`,
    rows: batch.rows.filter((other) => other !== row),
    refused,
  };
};

const outcomeOf = (row: CheckedRow, result: BulkAnswer['results'][number] | undefined): Outcome => {
  if (result?.data !== undefined) return { row, picture: result.data, error: null };
  return { row, picture: null, error: result?.error ?? 'The service did not answer for this row.' };
};

/** Returns the outcomes of all rows of answered batches, in the order of the file. */
export const outcomesOf = (batches: readonly Batch[]): readonly Outcome[] =>
  batches
    .flatMap(({ rows, refused, answer }) => [
      ...refused,
      ...(answer === null ? [] : rows.map((row, index) => outcomeOf(row, answer.results[index]))),
    ])
    .sort((a, b) => a.row.number - b.row.number);
