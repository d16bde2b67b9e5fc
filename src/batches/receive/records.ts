/** A file of rows as the records of a table. */
import { type RecordBounds, readCsvRecords, type TableRecord } from '../../csv/records.ts';
import { AppError } from '../../errors.ts';
import { XLSX_MAX_BYTES } from '../../xlsx/bounds.ts';
import { readXlsxRecords } from '../../xlsx/read.ts';
import { EMPTY_LINES_MAX, ROW_MAX_BYTES } from './limits.ts';
import { inSlices } from './slices.ts';

/** Formats with a header row. */
export type TableFormat = 'csv' | 'xlsx';

const BOUNDS: RecordBounds = { maxRowBytes: ROW_MAX_BYTES, maxEmptyLines: EMPTY_LINES_MAX };

/** Reads an XLSX file whole. Its rows stay packed, and are unpacked one after the other. */
const gather = async (chunks: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > XLSX_MAX_BYTES)
      throw new AppError(
        'body_too_large',
        `body: an XLSX file must have at most ${XLSX_MAX_BYTES} bytes; save it as CSV`,
      );
    parts.push(chunk);
  }
  return Buffer.concat(parts, length);
};

async function* readXlsx(chunks: AsyncIterable<Buffer>): AsyncGenerator<TableRecord> {
  yield* readXlsxRecords(await gather(chunks), BOUNDS, inSlices);
}

/**
 * Yields the header row and the rows of a file, and lets other requests be served in between.
 *
 * @param widths Whether a row of CSV must have as many cells as the header row.
 * @throws What the readers of the formats throw; {AppError} 413.
 */
export const readRecords = (
  chunks: AsyncIterable<Buffer>,
  format: TableFormat,
  widths?: 'equal' | 'any',
): AsyncGenerator<TableRecord> =>
  format === 'xlsx' ? readXlsx(chunks) : readCsvRecords(inSlices(chunks), BOUNDS, widths);
