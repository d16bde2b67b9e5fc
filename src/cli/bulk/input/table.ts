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
  withoutCompared,
} from './columns.ts';
import { type Composed, NOTHING_SAID, type Source } from './source.ts';

/** A row's fields that name something. */
interface Named {
  readonly name?: string;
  readonly external_id?: string;
  readonly slug?: string;
}

/** Of a command that says nothing about its file. */
const PLAIN = { columns: NOTHING_SAID, composed: null, unique: null };

const rulesOf = (others: Others, composed: Composed): HeaderRules => {
  if (others === 'refused') return dataRules('--remote and a --design with qrOptions.gs1');
  return others === 'kept' ? dataRules('--gs1') : batchRules(composed);
};

/**
 * Reads the rows of a table of CSV or XLSX.
 *
 * @throws {CliFault} for a header row that is not understood, and the errors of the records.
 */
export async function* readTable(
  records: AsyncIterable<TableRecord>,
  others: Others = 'refused',
  { columns: said, composed, unique }: Pick<Source, 'columns' | 'composed' | 'unique'> = PLAIN,
): AsyncGenerator<Written> {
  const options: ColumnOptions = {
    columns: columnsFor(others, said.mapping, composed, unique),
    mapping: said.mapping,
    byHand: '--column',
    leaveOut: '--other-columns skip',
    others: others === 'kept' || others === 'gs1' ? 'kept' : said.others,
    rules: rulesOf(others, composed),
  };
  try {
    for await (const { item, file, cells, fileRow, fault } of readRows(records, options)) {
      const { name = file, external_id: externalId = null, ...fields } = item as Named;
      if (others === 'refused' && fields.slug !== undefined)
        throw createSlugFault(`row ${fileRow} of the file, column slug`);
      const told = fault === null ? null : `${fault.field}: ${fault.message}`;
      const texts: Readonly<Record<string, unknown>> = { file, ...item };
      const uniqueText = unique === null ? null : String(texts[unique] ?? '');
      const own = itemOf(withoutCompared({ ...fields }, others, unique), others);
      yield { item: own, file: name, externalId, cells, fileRow, uniqueText, fault: told };
    }
  } catch (error) {
    if (!(error instanceof HeaderFault)) throw error;
    const place = error.fileRow === null ? '' : `row ${error.fileRow} of the file: `;
    throw commandError(toPrintable(`${place}${error.message}`));
  }
}
