/** The logos of presets, by the SHA-256 of their text. */
import type { Sql } from '../../client.ts';
import { pieceOf, piecesOf } from '../pieces.ts';

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
