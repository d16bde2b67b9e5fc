/** The media types of files of rows. */
import type { RowFormat } from '../../db/tables/batches/batches.ts';
import { AppError } from '../../errors.ts';

/** The media type of XLSX. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** What the rows of each media type are. */
export const ROW_TYPES: ReadonlyMap<string, RowFormat> = new Map([
  ['application/x-ndjson', 'ndjson'],
  ['text/csv', 'csv'],
  [XLSX_TYPE, 'xlsx'],
]);

/** Says which media types rows may have. */
export const wrongRowType = (): AppError =>
  new AppError('unsupported_media_type', `Send the rows as application/x-ndjson, text/csv or ${XLSX_TYPE}.`);
