/** An import as the calls that it takes. */
import type { BulkAnswer } from '../../api/shapes.ts';
import type { CheckedRow } from './rows.ts';

/** As many items as a call takes. */
export const BATCH_SIZE = 100;

export interface Outcome {
  readonly row: CheckedRow;
  /** A PNG as a data URL. */
  readonly picture: string | null;
  readonly error: string | null;
}

export interface Batch {
  /** Asked for again under the same key, a batch is neither made nor paid twice. */
  readonly idempotencyKey: string;
  readonly rows: readonly CheckedRow[];
  /** Rows taken out since the service would not have the batch with them. */
  readonly refused: readonly Outcome[];
  readonly answer: BulkAnswer | null;
}

/** `run` tells imports apart: random, visible ASCII. */
export const toBatches = (rows: readonly CheckedRow[], run: string): readonly Batch[] =>
  Array.from({ length: Math.ceil(rows.length / BATCH_SIZE) }, (_, index) => ({
    idempotencyKey: `import-${run}-${index}`,
    rows: rows.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    refused: [],
    answer: null,
  }));

/**
 * The batch without the row that a refusal (`items.<index>.<field>: <message>`) is about, under a key of its own
 * since it is another request; `null` when the refusal is about no row.
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
  return { row, picture: null, error: result?.error ?? 'There is no answer for it.' };
};

/** What became of the rows of all batches that are answered, in their order in the file. */
export const outcomesOf = (batches: readonly Batch[]): readonly Outcome[] =>
  batches
    .flatMap(({ rows, refused, answer }) => [
      ...refused,
      ...(answer === null ? [] : rows.map((row, index) => outcomeOf(row, answer.results[index]))),
    ])
    .sort((a, b) => a.row.number - b.row.number);
