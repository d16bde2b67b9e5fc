/** The body of a batch in answers. */

import Type from 'typebox';
import type { Batch } from '../../../../db/tables/batches/batches.ts';
import type { ListedDuplicate } from '../../../../db/tables/batches/duplicates.ts';
import { DUPLICATE_KINDS } from '../../../../duplicates/rules.ts';
import { orNull } from '../../../../stored-json.ts';
import { fieldsOf, Timestamp, Uuid } from '../../../schemas/atoms.ts';

const Count = Type.Integer();

/** The encoding of a file of rows. */
export const Encoding = orNull(Type.String({ description: 'The encoding of the file, by its WHATWG name.' }));
/** The rows of a file that are left out. */
export const emptyRows = {
  empty_rows: Type.Integer({ description: 'Rows without text, which are left out.' }),
  first_empty_rows: Type.Array(Type.Integer(), {
    description: 'The first of them, as `file_row` counts.',
  }),
};

/** A row that repeats an earlier one. */
export const DuplicateBody = Type.Object({
  row: Type.Integer(),
  file_row: Type.Integer({ description: 'Its row in the file.' }),
  external_id: orNull(Type.String()),
  first_row: Type.Integer(),
  first_file_row: Type.Integer(),
  kind: Type.Enum([...DUPLICATE_KINDS]),
  first_batch: Type.Optional({ ...Uuid, description: 'Its batch, if another.' }),
});

/** Returns a row that repeats an earlier one. */
export const toDuplicateBody = ({
  row,
  fileRow,
  externalId,
  firstRow,
  firstFileRow,
  kind,
  firstBatchId,
}: ListedDuplicate) => ({
  row,
  file_row: fileRow,
  external_id: externalId,
  first_row: firstRow,
  first_file_row: firstFileRow,
  kind,
  ...(firstBatchId === null ? {} : { first_batch: firstBatchId }),
});

export const BatchBody = Type.Object(
  {
    id: Uuid,
    state: Type.Enum([
      'receiving',
      'validating',
      'queued',
      'running',
      'finishing',
      'done',
      'failed',
      'cancelled',
      'expired',
    ]),
    reason: orNull(Type.String({ description: 'Why it ends in a state other than `done`.' })),
    folder_id: orNull(Uuid),
    folder_name: orNull(
      Type.String({ description: 'The name of its folder, even before the folder is made.' }),
    ),
    formats: Type.Array(Type.String()),
    on_error: Type.String(),
    rows: Count,
    encoding: Encoding,
    ...emptyRows,
    errors: Type.Integer({ description: 'Rows with faults.' }),
    duplicates: Type.Integer({ description: 'Rows that repeat an earlier one; known once it is queued.' }),
    made: Count,
    failed: Count,
    refunded: Type.Integer({ description: 'Units refunded at the end.' }),
    grades: Type.Array(Count, { description: 'The number of codes of each grade, 0 to 4.' }),
    position: orNull(Type.Integer({ description: 'Batches queued ahead of it.' })),
    remaining_s: orNull(Type.Integer({ description: 'At the pace of the last 30 seconds.' })),
    created_at: Timestamp,
    started_at: orNull(Timestamp),
    finished_at: orNull(Timestamp),
    expires_at: Timestamp,
  },
  { title: 'Batch' },
);

/** Seconds until all rows are made, at the present pace. */
const remainingS = ({ pace, madeMs, estimatedMs }: Batch): number | null =>
  pace === null || pace <= 0 ? null : Math.round(Math.max(0, estimatedMs - madeMs) / pace / 1000);

export const toBatchBody = (batch: Batch) => ({
  ...fieldsOf(
    batch,
    'id',
    'reason',
    'folderId',
    'folderName',
    'formats',
    'onError',
    'rows',
    'encoding',
    'emptyRows',
    'firstEmptyRows',
    'errors',
    'duplicates',
    'made',
  ),
  ...fieldsOf(batch, 'failed', 'refunded', 'grades', 'createdAt', 'startedAt', 'finishedAt', 'expiresAt'),
  // Its end is decided; at most the pieces in progress are still made.
  state: batch.ending !== null && batch.finishedAt === null ? ('finishing' as const) : batch.state,
  position: batch.ahead,
  remaining_s: remainingS(batch),
});
