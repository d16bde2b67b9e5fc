/**
 * The logos of codes and of presets. Values of up to megabytes are read in rows of a few kilobytes: as one row, a value
 * of a megabyte takes the main thread three to four times as long, because postgres.js joins the chunks of a long
 * message, and decodes it at once.
 */
import type { Logo, LogoVector } from '../../../workers/protocol.ts';
import type { Sql } from '../client.ts';
import { BYTEA_ARRAY } from '../statements.ts';

const PIECE_BYTES = 16_384;

/** A part of a query: a row with its number `n` for each piece of a `bytea` column, which must not be empty. */
const piecesOf = (sql: Sql, column: string) =>
  sql`generate_series(0, (octet_length(${sql(column)}) - 1) / ${PIECE_BYTES}::int) as n`;

/** A part of a query: piece `n` of a `bytea` column. */
const pieceOf = (sql: Sql, column: string) =>
  sql`substr(${sql(column)}, 1 + n * ${PIECE_BYTES}::int, ${PIECE_BYTES}::int)`;

/** A logo to be saved. */
export interface NewLogo extends Logo {
  /** The SHA-256 of the logo, 32 bytes. */
  readonly sha256: Uint8Array;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Returns the bytes as base64, which is a third shorter than the hexadecimal form of a `bytea` parameter. */
const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/**
 * Saves each logo once for the account, and keeps `deleteUnusedLogos` from deleting it until the transaction ends. Each
 * logo, which may be megabytes, is one statement. Logos are saved in a fixed order, so that callers never deadlock.
 */
export const saveLogos = async (sql: Sql, accountId: string, logos: readonly NewLogo[]): Promise<void> => {
  const missing = new Map(logos.map((logo) => [hex(logo.sha256), logo]));
  if (missing.size === 0) return;
  const hashes = sql.array(
    [...missing.values()].map(({ sha256 }) => sha256),
    BYTEA_ARRAY,
  );
  const kept = await sql<{ sha256: Buffer }[]>`
    select sha256 from logos where account_id = ${accountId} and sha256 = any(${hashes}) for key share`;
  for (const { sha256 } of kept) missing.delete(hex(sha256));

  for (const [, { sha256, png, widthPx, heightPx, vector }] of [...missing].sort(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    // The no-op update locks the row even if another caller inserted it first.
    await sql`
      insert into logos (account_id, sha256, png, width_px, height_px, vector)
      values (${accountId}, ${sha256}, decode(${base64(png)}, 'base64'), ${widthPx}, ${heightPx},
        ${vector === undefined ? null : JSON.stringify(vector)}::text::jsonb)
      on conflict (account_id, sha256) do update set width_px = excluded.width_px`;
  }
};

type LogoRow = Omit<Logo, 'vector'> & { readonly vector: LogoVector | null };

/** Returns a logo of the account, or `null`. @param sha256 Its SHA-256, 32 bytes. */
export const getLogo = async (sql: Sql, accountId: string, sha256: Uint8Array): Promise<Logo | null> => {
  const rows = await sql<LogoRow[]>`
    select ${pieceOf(sql, 'png')} as png, width_px, height_px, case when n = 0 then vector end as vector
    from logos, ${piecesOf(sql, 'png')} where account_id = ${accountId} and sha256 = ${sha256} order by n`;
  if (rows.length === 0) return null;
  const { vector, ...size } = rows[0]!;
  const logo = { ...size, png: Buffer.concat(rows.map(({ png }) => png)) };
  return vector === null ? logo : { ...logo, vector };
};

/**
 * Deletes the account's logos that no design of its codes uses, except those just being saved again. Returns how many.
 */
export const deleteUnusedLogos = async (sql: Sql, accountId: string): Promise<number> => {
  const { count } = await sql`
    delete from logos where account_id = ${accountId} and sha256 in (
      select l.sha256 from logos l
      where l.account_id = ${accountId}
        and not exists (select from designs d where d.account_id = l.account_id and d.logo_sha256 = l.sha256)
      for update of l skip locked
    )`;
  return count;
};

/**
 * Saves an image once for the account. The caller must hold the account's lock.
 *
 * @param sha256 Of the image, 32 bytes.
 */
export const savePresetImage = async (
  tx: Sql,
  accountId: string,
  sha256: Uint8Array,
  image: string,
): Promise<void> => {
  await tx`
    insert into preset_images (account_id, sha256, image) values (${accountId}, ${sha256}, convert_to(${image}, 'UTF8'))
    on conflict do nothing`;
};

/** Returns an image of the account, or `null`. @param sha256 Its SHA-256, 32 bytes. */
export const getPresetImage = async (
  sql: Sql,
  accountId: string,
  sha256: Uint8Array,
): Promise<string | null> => {
  const rows = await sql<{ piece: Buffer }[]>`
    select ${pieceOf(sql, 'image')} as piece from preset_images, ${piecesOf(sql, 'image')}
    where account_id = ${accountId} and sha256 = ${sha256} order by n`;
  return rows.length === 0 ? null : Buffer.concat(rows.map(({ piece }) => piece)).toString();
};

/** Deletes the images that no preset of the account uses. The caller must hold the account's lock. */
export const deleteUnusedPresetImages = async (tx: Sql, accountId: string): Promise<void> => {
  await tx`
    delete from preset_images i where account_id = ${accountId} and not exists (
      select from presets p where p.account_id = i.account_id and p.image_sha256 = i.sha256
    )`;
};
