import { HeaderFault, readRows } from '../../../csv/read.ts';
import type { TableRecord } from '../../../csv/records.ts';
import { BulkItem } from '../../../generate/request/request.ts';
import { failed } from '../../fault.ts';
import { printable } from '../../terminal.ts';
import type { Others, Written } from '../written.ts';
import {
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
  const isKept = others === 'kept';
  const options = {
    columns: isKept ? fieldsFor(said.mapping, COLUMNS_KEPT) : COLUMNS_HERE,
    mapping: said.mapping,
    byHand: '--column',
    others: isKept ? ('kept' as const) : said.others,
  };
  let row = 0;
  try {
    for await (const { item: named, file, cells, fault } of readRows(records, options)) {
      row += 1;
      const { name = file, id = null, ...item } = named as Named;
      if (!isKept && item.slug !== undefined) throw slugFault(`row ${row}, column slug`);
      yield {
        item: isKept ? knownOf(item) : item,
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
