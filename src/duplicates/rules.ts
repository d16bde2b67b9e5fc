/** What counts as a duplicate among rows, in batches and on the command line, and what is done about it. */

/**
 * What to do about rows that repeat an earlier one. `refuse-keys`: those that repeat the key of a single thing, or a value
 * that must be unique, are errors; those with the same content are reported. `refuse`: all are errors. `report`: none is.
 */
export const DUPLICATE_RULES = ['refuse-keys', 'refuse', 'report'] as const;
/** One of `DUPLICATE_RULES`. */
export type DuplicateRule = (typeof DUPLICATE_RULES)[number];

/** Where an earlier row is looked for: in the batch itself, or also in all kept batches of its account. */
export const DUPLICATE_SCOPES = ['batch', 'kept-batches'] as const;
/** One of `DUPLICATE_SCOPES`. */
export type DuplicateScope = (typeof DUPLICATE_SCOPES)[number];

/**
 * What a row repeats: the value of the column that must be unique, the GS1 key of a single thing, or the content. A row that
 * repeats several is listed with the first of these.
 */
export const DUPLICATE_KINDS = ['value', 'gs1-key', 'content'] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

/** What tells a row from others; absent: it has no such thing. */
export type RowKeys = Readonly<Partial<Record<DuplicateKind, string>>>;

/** A row that repeats an earlier one. Rows count from 1. */
export interface Duplicate {
  readonly row: number;
  readonly firstRow: number;
  readonly kind: DuplicateKind;
}

/** A duplicate with the rows of the file. */
export interface PlacedDuplicate extends Duplicate {
  readonly fileRow: number;
  readonly firstFileRow: number;
}

/** Whether a duplicate is an error. */
export const isRefused = (rule: DuplicateRule, kind: DuplicateKind): boolean =>
  rule === 'refuse' || (rule === 'refuse-keys' && kind !== 'content');

const TOLD: Readonly<Record<DuplicateKind, string>> = {
  value: 'the same value, which must be unique',
  'gs1-key': 'the same GS1 key, which names a single thing',
  content: 'the same content',
};

/**
 * Says what a row repeats, for a sentence that begins with the row or its field.
 *
 * @param batchId The batch of the earlier row; `null`: the same.
 */
export const tellDuplicate = (
  { firstFileRow, kind }: Pick<PlacedDuplicate, 'firstFileRow' | 'kind'>,
  batchId: string | null = null,
): string =>
  `repeats row ${firstFileRow} of the file${batchId === null ? '' : ` of batch ${batchId}`}: ${TOLD[kind]}`;
