/** The limits of one batch. */
import { CELLS_MAX, type RecordBounds } from '../../csv/records.ts';

/** Maximum length of a row. A logo of 2,000,000 characters fits, even if every character is escaped. */
export const ROW_MAX_BYTES = 8 * 1024 * 1024;
/** Total size of all rows, uncompressed. */
export const BATCH_MAX_BYTES = 2_000_000_000;
/** Maximum number of empty rows, which are left out. */
export const EMPTY_ROWS_MAX = 1_000_000;
/** The limits of a table. */
export const TABLE: RecordBounds = {
  maxRowBytes: ROW_MAX_BYTES,
  maxEmptyRows: EMPTY_ROWS_MAX,
  maxCells: CELLS_MAX,
};
/** Rows and bytes of one stored object. A longer row gets an object of its own. */
export const PIECE = { rows: 500, bytes: 4 * 1024 * 1024 } as const;

/** How far gzip may expand, and XLSX grow into rows: this many bytes, plus this multiple of what was received. */
export const UNPACKED = { freeBytes: 64 * 1024 * 1024, ratio: 200 } as const;
/** The minimum pace of an upload. One that falls behind is aborted. */
export const PACE = {
  /** How long the client may be silent, and how far it may fall behind in total. */
  stallMs: 60_000,
  /** Minimum average rate over the time that the gateway waits for bytes: 128 kbit/s. */
  bytesPerMs: 16,
  /** Total time. */
  maxMs: 6 * 3_600_000,
  /** Time within which the reader must ask for bytes or produce a row from those it has. */
  readMs: 120_000,
} as const;

/**
 * Tiny chunks (RFC 9112, 7.1) share one read of the socket with another chunk; each costs Node about 10 us. This many are
 * allowed in any case, and one more for each so many bytes.
 */
export const TINY_CHUNKS = { free: 4096, bytes: 8192 } as const;

/** Uploads in chunks. */
export const UPLOADS = {
  /** Bytes of a chunk, which is held in memory while it is received. */
  chunkMaxBytes: 8 * 1024 * 1024,
  chunksMax: 2000,
  /** An upload that has not become a batch by then is removed. */
  keptS: 86_400,
  /** Uploads of an account that have not become batches yet, and their bytes. */
  openMax: 20,
  openMaxBytes: 2 * BATCH_MAX_BYTES,
  /** Uploads of an account that have become batches and are kept for callers that retry. */
  completeMax: 100,
} as const;
