/** Histories of changes: who made a change, and pages of them, the latest first. */

import Type, { type Static, type TObject } from 'typebox';
import { decodeNumberCursor, encodeNumberCursor } from '../../db/cursor.ts';
import { fieldError } from '../../errors.ts';
import { orNull } from '../../stored-json.ts';
import { type PageQuery, pageSchema, Timestamp, Uuid } from './atoms.ts';

/** The API key that made a change. */
export const ChangedBy = orNull(
  Type.Object(
    { id: Uuid, name: Type.String(), prefix: Type.String() },
    { title: 'ChangedBy', description: 'The key that made the change; null: the operator.' },
  ),
);

/** Returns the body of `ChangedBy`. */
export const toChangedBy = ({
  keyId,
  keyName,
  keyPrefix,
}: {
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
}) => (keyId === null ? null : { id: keyId, name: keyName ?? '', prefix: keyPrefix ?? '' });

/** Which rows a page reads: one more than it shows. */
interface HistoryPage {
  readonly beforeId: number | null;
  readonly limit: number;
}

/** Reads the query of a page. @throws {AppError} 400 when `cursor` is not a `next_cursor` of ours. */
export const toHistoryPage = ({ cursor, limit = 20 }: Static<typeof PageQuery>): HistoryPage => {
  const beforeId = cursor === undefined ? null : decodeNumberCursor(cursor);
  if (beforeId === undefined) {
    throw fieldError('cursor', 'must be the cursor that the previous page returned', 'invalid_query');
  }
  return { beforeId, limit: limit + 1 };
};

/** Returns the response schema of a page of a history. @param row As that of `pageSchema`. */
export const historySchema = <T extends TObject>(row: T) =>
  Type.Object(
    {
      ...pageSchema(row).properties,
      complete_since: {
        ...Timestamp,
        title: 'HistoryCompleteSince',
        description: 'Since then, no entry is missing.',
      },
    },
    { title: `${(row as { title?: string }).title}Page` },
  );

/** Returns the body of a page from its rows. @param completeSince Read after them. */
export const toHistoryBody = <Row extends { readonly id: number }, Body>(
  rows: readonly Row[],
  { limit }: HistoryPage,
  toBody: (row: Row) => Body,
  completeSince: Date,
) => {
  const shown = rows.slice(0, limit - 1);
  const last = shown.at(-1);
  return {
    data: shown.map(toBody),
    next_cursor: last !== undefined && rows.length === limit ? encodeNumberCursor(last.id) : null,
    complete_since: completeSince.toISOString(),
  };
};
