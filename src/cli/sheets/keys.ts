/** What tells the labels of a file apart. */
import type { RowKeys } from '../../duplicates/rules.ts';
import type { Row } from '../bulk/input/input.ts';
import { keysOfItem } from '../duplicates.ts';
import { commandError } from '../fault.ts';
import { type Gs1Columns, toItem } from './content.ts';

/**
 * Returns what tells a row from others. One that cannot be drawn has nothing.
 *
 * @param unique The column whose values must be unique; `null`: none.
 * @throws {CliFault} when the row has no value in that column.
 */
export const keysOf = ({ row, item, cells }: Row, gs1: Gs1Columns, unique: string | null): RowKeys => {
  const value = unique === null ? undefined : (cells[unique] ?? '').trim().normalize('NFC');
  if (value === '') throw commandError(`row ${row}: ${unique} is required: its values must be unique`);
  const fields = item.ok ? toItem(JSON.parse(item.value), gs1) : item;
  return { ...(fields.ok ? keysOfItem(fields.value) : {}), ...(value === undefined ? {} : { value }) };
};
