import { type ColumnOptions, HeaderFault, type HeaderRules, readRows } from '../../../csv/read.ts';
import type { TableRecord } from '../../../csv/records.ts';
import { commandError } from '../../fault.ts';
import { toPrintable } from '../../terminal.ts';
import {
  batchRules,
  columnsFor,
  createSlugFault,
  dataRules,
  itemOf,
  type Others,
  type Written,
} from './columns.ts';
import { type Composed, NOTHING_SAID } from './source.ts';

/** A row's fields that name something. */
interface Named {
  readonly name?: string;
  readonly external_id?: string;
  readonly slug?: string;
}

const rulesOf = (others: Others, composed: Composed): HeaderRules => {
  if (others === 'refused') return dataRules('--remote and a --design with qrOptions.gs1');
  return others === 'kept' ? dataRules('--gs1') : batchRules(composed);
};

/**
 * Reads the rows of a table of CSV or XLSX.
 *
 * @param said The options of the command about its columns.
 * @param composed What the rows of a batch are made of.
 * @throws {CliFault} for a header row that is not understood, and the errors of the records.
 */
export async function* readTable(
  records: AsyncIterable<TableRecord>,
  others: Others = 'refused',
  said = NOTHING_SAID,
  composed: Composed = null,
): AsyncGenerator<Written> {
  const options: ColumnOptions = {
    columns: columnsFor(others, said.mapping, composed),
    mapping: said.mapping,
    byHand: '--column',
    leaveOut: '--other-columns skip',
    others: others === 'kept' || others === 'gs1' ? 'kept' : said.others,
    rules: rulesOf(others, composed),
  };
  let row = 0;
  try {
    for await (const { item, file, cells, fault } of readRows(records, options)) {
      row += 1;
      const { name = file, external_id: externalId = null, ...fields } = item as Named;
      if (others === 'refused' && fields.slug !== undefined) throw createSlugFault(`row ${row}, column slug`);
      const told = fault === null ? null : `${fault.field}: ${fault.message}`;
      yield { item: itemOf({ ...fields }, others), file: name, externalId, cells, fault: told };
    }
  } catch (error) {
    throw error instanceof HeaderFault ? commandError(toPrintable(error.message)) : error;
  }
}
