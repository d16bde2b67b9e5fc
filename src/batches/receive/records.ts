/** A file of rows as the records of a table. */
import { type RecordBounds, readCsvRecords, type TableRecord } from '../../csv/records.ts';
import { AppError } from '../../errors.ts';
import { chunksInSlices } from '../../time-slices.ts';
import { XLSX_MAX_BYTES } from '../../xlsx/bounds.ts';
import { XlsxFault } from '../../xlsx/fault.ts';
import { readXlsxRecords } from '../../xlsx/read.ts';
import { EMPTY_LINES_MAX, ROW_MAX_BYTES } from './limits.ts';

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

async function* readXlsx(chunks: AsyncIterable<Buffer>, maxMs: number): AsyncGenerator<TableRecord> {
  const file = await gather(chunks);
  const endMs = performance.now() + maxMs;
  async function* slices(unpacked: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const slice of chunksInSlices(unpacked)) {
      if (performance.now() > endMs) throw new XlsxFault('takes too long to read; save it as CSV');
      yield slice;
    }
  }
  yield* readXlsxRecords(file, BOUNDS, slices);
}

/**
 * Yields the header row and the rows of a file, and lets other requests be served in between.
 *
 * @param widths Whether a row of CSV must have as many cells as the header row.
 * @param maxMs How long reading XLSX may take once it is here.
 * @throws What the readers of the formats throw; {AppError} 413.
 */
export const readRecords = (
  chunks: AsyncIterable<Buffer>,
  format: TableFormat,
  widths?: 'equal' | 'any',
  maxMs = Number.POSITIVE_INFINITY,
): AsyncGenerator<TableRecord> =>
  format === 'xlsx' ? readXlsx(chunks, maxMs) : readCsvRecords(chunksInSlices(chunks), BOUNDS, widths);
