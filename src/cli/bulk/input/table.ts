import type { FieldColumn } from '../../../csv/columns.ts';
import { HeaderFault, readRows } from '../../../csv/read.ts';
import type { TableRecord } from '../../../csv/records.ts';
import { BulkItem } from '../../../generate/request/request.ts';
import { failed } from '../../fault.ts';
import { printable } from '../../terminal.ts';
import type { Others, Written } from '../written.ts';
import {
  COLUMNS_BATCH,
  COLUMNS_HERE,
  COLUMNS_KEPT,
  type ColumnsSaid,
  fieldsFor,
  NOTHING_SAID,
  slugFault,
} from './columns.ts';

/** A batch has fields that no bulk item has; the gateway reads them itself. */
const knownOf = (item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(item).filter(([name]) => Object.hasOwn(BulkItem.properties, name)));

/** A row's fields that name something. */
interface Named {
  readonly name?: string;
  readonly id?: string;
  readonly slug?: string;
}

const columnsFor = (others: Others, { mapping }: ColumnsSaid): ReadonlyMap<string, FieldColumn> => {
  if (others === 'refused') return COLUMNS_HERE;
  return fieldsFor(mapping, others === 'kept' ? COLUMNS_KEPT : COLUMNS_BATCH);
};

/**
 * Reads the rows of a table of CSV or XLSX.
 *
 * @param said What the command says of its columns.
 * @throws {CliFault} for a header row that is not understood; what the records throw.
 */
export async function* readTable(
  records: AsyncIterable<TableRecord>,
  others: Others = 'refused',
  said: ColumnsSaid = NOTHING_SAID,
): AsyncGenerator<Written> {
  const options = {
    columns: columnsFor(others, said),
    mapping: said.mapping,
    byHand: '--column',
    leaveOut: '--other-columns skip',
    others: others === 'kept' ? others : said.others,
  };
  let row = 0;
  try {
    for await (const { item: named, file, cells, fault } of readRows(records, options)) {
      row += 1;
      const { name = file, id = null, ...item } = named as Named;
      if (others === 'refused' && item.slug !== undefined) throw slugFault(`row ${row}, column slug`);
      yield {
        item: others === 'refused' ? item : knownOf(item),
        file: name,
        id,
        cells,
        fault: fault === null ? null : `${fault.field}: ${fault.message}`,
      };
    }
  } catch (error) {
    throw error instanceof HeaderFault ? failed(printable(error.message)) : error;
  }
}
