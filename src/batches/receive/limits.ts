/** The bounds of what one batch may be. */
import { CELLS_MAX, type RecordBounds } from '../../csv/records.ts';

/** Greatest length of a row. A logo of 2,000,000 characters fits into it, even when it is written as escapes. */
export const ROW_MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of all rows, unpacked. */
export const BATCH_MAX_BYTES = 2_000_000_000;
/** Lines without a row that are left out. */
export const EMPTY_LINES_MAX = 1_000_000;
/** What a table may be. */
export const TABLE: RecordBounds = {
  maxRowBytes: ROW_MAX_BYTES,
  maxEmptyLines: EMPTY_LINES_MAX,
  maxCells: CELLS_MAX,
};
/** Rows and bytes of one stored object. A longer row has one of its own. */
export const PIECE = { rows: 500, bytes: 4 * 1024 * 1024 } as const;

/** How much gzip may unpack, and XLSX become rows: this many bytes, and beyond them so many times what was received. */
export const UNPACKED = { freeBytes: 64 * 1024 * 1024, ratio: 200 } as const;
/** The pace of an upload. One that falls behind is given up. */
export const PACE = {
  /** Silence of its client, and what it may be late in all. */
  stallMs: 60_000,
  /** Least average of the time for which the gateway waits for bytes: 128 kbit/s. */
  bytesPerMs: 16,
  /** Time in all. */
  maxMs: 6 * 3_600_000,
  /** Time in which its reader must ask for bytes or make a row of those that it has. */
  readMs: 120_000,
} as const;

/** Crumbs are chunks that share one read of the socket with another (RFC 9112, 7.1). Each costs Node about 10 us. */
export const CRUMBS = { free: 4096, bytes: 8192 } as const;

/** Uploads in chunks. */
export const UPLOADS = {
  /** Bytes of a chunk. It is in memory while it is received. */
  chunkMaxBytes: 8 * 1024 * 1024,
  chunksMax: 2000,
  /** An upload that is no batch after this time is removed. */
  keptS: 86_400,
  /** Uploads of an account that are no batches yet, and their bytes. */
  openMax: 20,
  openMaxBytes: 2 * BATCH_MAX_BYTES,
  /** Uploads of an account that are batches, and are kept for callers that ask again. */
  completeMax: 100,
} as const;
