/** Decides how a file is imported: in this page, row by row, or as a batch. */
import type { BatchPreview } from '../../api/shapes.ts';
import { loadPreview } from '../batches/columns/load-preview.ts';
import { countRows } from '../batches/send/count-rows.ts';
import { type FileKind, kindOf } from '../batches/send/file-kind.ts';

/** More rows than the page makes itself. */
export const PAGE_MAX_ROWS = 1000;
/** Larger files are never read into the page. */
const PAGE_MAX_BYTES = 4 * 1024 * 1024;

/** A file that becomes a batch, and why. */
export interface AsBatch {
  readonly as: 'batch';
  readonly file: File;
  readonly kind: FileKind;
  readonly why: string;
}

/** A file with all of its rows, or one that becomes a batch. */
export type Way =
  | { readonly as: 'table'; readonly file: File; readonly kind: FileKind; readonly preview: BatchPreview }
  | AsBatch;

/** Files without an ending that tells more are taken for CSV. */
const CSV: FileKind = { format: 'csv', gzip: false };
const TOO_MANY = 'The file has more than 1,000 rows';

const whyBatch = async (file: File, kind: FileKind): Promise<string | null> => {
  if (kind.gzip) return 'The file is packed';
  if (kind.format === 'ndjson') return 'The file is NDJSON';
  if (file.size > PAGE_MAX_BYTES) return 'The file is large';
  if (kind.format === 'xlsx') return null;
  return (await countRows(file, kind, { max: PAGE_MAX_ROWS })) > PAGE_MAX_ROWS ? TOO_MANY : null;
};

/** Returns how a file is imported. @throws {Fault} When it cannot be read. */
export const chooseWay = async (file: File): Promise<Way> => {
  const kind = kindOf(file.name) ?? CSV;
  const why = await whyBatch(file, kind);
  if (why !== null) return { as: 'batch', file, kind, why };
  const preview = await loadPreview(file, kind, { rows: PAGE_MAX_ROWS, bytes: PAGE_MAX_BYTES });
  return preview.more ? { as: 'batch', file, kind, why: TOO_MANY } : { as: 'table', file, kind, preview };
};
