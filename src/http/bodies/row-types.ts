/** The media types of files of rows. */

import { namesOf } from '../../../workers/lists.ts';
import { AppError } from '../../errors.ts';
import { ROW_MEDIA_TYPES, type RowFormat } from '../../lists.ts';

/** The media type of XLSX. */
export const XLSX_TYPE = ROW_MEDIA_TYPES.xlsx;

/** The row format of each media type. */
export const ROW_TYPES: ReadonlyMap<string, RowFormat> = new Map(
  namesOf(ROW_MEDIA_TYPES).map((format) => [ROW_MEDIA_TYPES[format], format]),
);

/** Says which media types rows may have. */
export const wrongRowType = (): AppError =>
  new AppError('unsupported_media_type', `Send the rows as application/x-ndjson, text/csv or ${XLSX_TYPE}.`);
