/**
 * Reads values of up to megabytes in rows of a few kilobytes: as one row, a value of a megabyte takes the main thread
 * three to four times as long, because postgres.js joins the chunks of a long message, and decodes it at once.
 */
import type { Sql } from '../client.ts';

const PIECE_BYTES = 16_384;

/** A part of a query: a row with its number `n` for each piece of a `bytea` column, which must not be empty. */
export const piecesOf = (sql: Sql, column: string) =>
  sql`generate_series(0, (octet_length(${sql(column)}) - 1) / ${PIECE_BYTES}::int) as n`;

/** A part of a query: piece `n` of a `bytea` column. */
export const pieceOf = (sql: Sql, column: string) =>
  sql`substr(${sql(column)}, 1 + n * ${PIECE_BYTES}::int, ${PIECE_BYTES}::int)`;
