import { HeaderFault, readCsvRows } from '../../../csv/read.ts';
import { failed } from '../../fault.ts';
import { printable } from '../../terminal.ts';
import { MAX_ROW_BYTES, type Others, type Written } from '../written.ts';
import { COLUMNS } from './columns.ts';

const OPTIONS = { columns: COLUMNS, maxRowBytes: MAX_ROW_BYTES, maxEmptyLines: Number.POSITIVE_INFINITY };

/**
 * Reads CSV (RFC 4180) in UTF-8 with a header row. Semicolons or tabs may stand in place of commas.
 *
 * @throws {CliFault} for an unknown column that is to be refused; what `csv-parse` throws for broken quotes or a row with
 *   too few or too many cells; a `TypeError` for bytes that are not UTF-8.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  others: Others = 'refused',
): AsyncGenerator<Written> {
  try {
    for await (const { item: named, file, cells, fault } of readCsvRows(chunks, { ...OPTIONS, others })) {
      const { name = file, ...item } = named as { readonly name?: string };
      yield { item, file: name, cells, fault: fault === null ? null : `${fault.field}: ${fault.message}` };
    }
  } catch (error) {
    throw error instanceof HeaderFault ? failed(printable(error.message)) : error;
  }
}
