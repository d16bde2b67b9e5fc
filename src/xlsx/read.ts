/** Reads the first worksheet of an XLSX file, row by row. */
import type { TableNotes } from '../csv/notes.ts';
import type { RecordBounds, TableRecord } from '../csv/records.ts';
import { SMALL_PART_MAX_BYTES, STRINGS_MAX_BYTES } from './bounds.ts';
import { XlsxFault } from './fault.ts';
import { createFormats } from './formats.ts';
import { openParts, type Parts, type Rest } from './parts.ts';
import { createSheetReader } from './sheet.ts';
import { readTexts } from './strings.ts';
import { readStyles } from './styles.ts';
import { readWorkbook } from './workbook.ts';
import { readXmlInSteps } from './xml.ts';

const NO_TEXTS = { at: () => undefined };

const contextOf = async (parts: Parts) => {
  const { sheet, strings, styles, is1904 } = await readWorkbook(parts);
  const chunks = parts.read(sheet);
  if (chunks === null) throw new XlsxFault('has no worksheet');
  const stringChunks = strings === null ? null : parts.read(strings, STRINGS_MAX_BYTES);
  const styleChunks = styles === null ? null : parts.read(styles, SMALL_PART_MAX_BYTES);
  return {
    chunks,
    context: {
      texts: stringChunks === null ? NO_TEXTS : await readTexts(stringChunks),
      formatOf: createFormats(styleChunks === null ? [] : await readStyles(styleChunks), is1904),
    },
  };
};

/**
 * Yields the header row and the rows of the first worksheet, without the empty ones. Keeps its thread busy until it
 * ends.
 *
 * @param source The path of the file, or its bytes.
 * @param notes Filled in while the file is read.
 * @param rest Called after each step of reading.
 * @throws {XlsxFault} for a file that is unreadable or exceeds the limits; {RangeError} for too many empty rows or
 *   cells; file system errors.
 */
export async function* readXlsxRecords(
  source: string | Buffer,
  bounds: RecordBounds,
  notes: TableNotes,
  rest?: Rest,
): AsyncGenerator<TableRecord> {
  const parts = await openParts(source, rest);
  try {
    const { chunks, context } = await contextOf(parts);
    const reader = createSheetReader(context, bounds, notes);
    for await (const _ of readXmlInSteps(chunks, reader)) yield* reader.take();
  } finally {
    parts.close();
  }
}
