/** Decides how a file is imported: in this page, row by row, or as a batch. */
import { ok, type Result, refused } from '../../../result.ts';
import { countRows } from '../batches/send/count-rows.ts';
import { type FileKind, kindOf } from '../batches/send/file-kind.ts';
import { type Column, isOfBatches } from './table/columns.ts';
import { decodeText } from './table/decode-text.ts';
import { readCsv, type Table } from './table/read-csv.ts';

/** More rows than the page makes itself. */
export const PAGE_MAX_ROWS = 1000;
/** Larger files are never read into the page. */
const PAGE_MAX_BYTES = 50 * 1024 * 1024;

/** A table that the page imports, or a file that becomes a batch, and why. */
export type Way =
  | { readonly as: 'table'; readonly table: Table }
  | { readonly as: 'batch'; readonly file: File; readonly kind: FileKind; readonly why: string };

/** Files without an ending that tells more are taken for CSV. */
const CSV: FileKind = { format: 'csv', gzip: false };

const whyBatch = async (file: File, kind: FileKind): Promise<string | null> => {
  if (kind.gzip) return 'The file is packed';
  if (kind.format === 'ndjson') return 'The file is NDJSON';
  if (file.size > PAGE_MAX_BYTES) return 'The file is large';
  const rows = await countRows(file, kind, { max: PAGE_MAX_ROWS });
  return rows > PAGE_MAX_ROWS ? 'The file has more than 1,000 rows' : null;
};

/** Returns how a file is imported, or what is wrong with it. @param known The columns that it may have. */
export const chooseWay = async (file: File, known: readonly Column[]): Promise<Result<Way, string>> => {
  const kind = kindOf(file.name) ?? CSV;
  const why = await whyBatch(file, kind);
  if (why !== null) return ok({ as: 'batch', file, kind, why });
  const text = await decodeText(file);
  if (!text.ok) return text;
  const table = readCsv(text.value, known);
  if (!table.ok) return refused(table.fault);
  const own = table.value.columns.filter(isOfBatches).map(({ name }) => `“${name}”`);
  if (own.length > 0)
    return ok({ as: 'batch', file, kind, why: `Only a batch keeps the column ${own.join(' and ')}` });
  return ok({ as: 'table', table: table.value });
};
