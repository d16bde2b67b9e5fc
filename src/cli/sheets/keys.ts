/** What tells the labels of a file apart. */
import type { RowKeys } from '../../duplicates/rules.ts';
import type { Row } from '../bulk/input/input.ts';
import { keyOfUnique, keysOfItem } from '../duplicates.ts';
import { type Gs1Columns, toItem } from './content.ts';

/**
 * Returns what tells a row from others. One that cannot be drawn has nothing.
 *
 * @param unique The column whose values must be unique; `null`: none.
 * @throws {CliFault} when the row has no value in that column.
 */
export const keysOf = ({ fileRow, item, cells }: Row, gs1: Gs1Columns, unique: string | null): RowKeys => {
  const ofUnique = keyOfUnique(unique, unique === null ? null : cells[unique], fileRow);
  const fields = item.ok ? toItem(JSON.parse(item.value), gs1) : item;
  return { ...(fields.ok ? keysOfItem(fields.value) : {}), ...ofUnique };
};
