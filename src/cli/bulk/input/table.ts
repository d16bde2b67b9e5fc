import { type ColumnOptions, HeaderFault, readRows } from '../../../csv/read.ts';
import type { TableRecord } from '../../../csv/records.ts';
import { commandError } from '../../fault.ts';
import { toPrintable } from '../../terminal.ts';
import { batchRules, columnsFor, itemOf, LABEL_RULES, type Others, type Written } from './columns.ts';
import { NOTHING_SAID, type Source } from './source.ts';

/** A row's fields that name something. */
interface Named {
  readonly name?: string;
  readonly external_id?: string;
}

/** Of a command that says nothing about its file. */
const PLAIN = { columns: NOTHING_SAID, composed: null };

/**
 * Reads the rows of a table of CSV or XLSX.
 *
 * @throws {CliFault} for a header row that is not understood, and the errors of the records.
 */
export async function* readTable(
  records: AsyncIterable<TableRecord>,
  others: Others,
  { columns: said, composed }: Pick<Source, 'columns' | 'composed'> = PLAIN,
): AsyncGenerator<Written> {
  const options: ColumnOptions = {
    columns: columnsFor(others, said.mapping, composed),
    mapping: said.mapping,
    byHand: '--column',
    leaveOut: '--other-columns skip',
    others: others === 'batch' ? said.others : 'kept',
    rules: others === 'kept' ? LABEL_RULES : batchRules(composed),
  };
  try {
    for await (const { item, file, cells, fileRow, fault } of readRows(records, options)) {
      const { name = file, external_id: externalId = null, ...fields } = item as Named;
      const told = fault === null ? null : `${fault.field}: ${fault.message}`;
      yield { item: itemOf(fields, others), file: name, externalId, cells, fileRow, fault: told };
    }
  } catch (error) {
    if (!(error instanceof HeaderFault)) throw error;
    const place = error.fileRow === null ? '' : `row ${error.fileRow} of the file: `;
    throw commandError(toPrintable(`${place}${error.message}`));
  }
}
