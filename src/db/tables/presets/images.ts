/** The logos of presets, by the SHA-256 of their text. */
import type { Sql } from '../../client.ts';

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
    insert into preset_images (account_id, sha256, image) values (${accountId}, ${sha256}, ${image})
    on conflict do nothing`;
};

/** Returns an image of the account, or `null`. @param sha256 Its SHA-256, 32 bytes. */
export const getPresetImage = async (
  sql: Sql,
  accountId: string,
  sha256: Uint8Array,
): Promise<string | null> => {
  const [row] = await sql<{ image: string }[]>`
    select image from preset_images where account_id = ${accountId} and sha256 = ${sha256}`;
  return row?.image ?? null;
};

/** Deletes the images that no preset of the account uses. The caller must hold the account's lock. */
export const deleteUnusedPresetImages = async (tx: Sql, accountId: string): Promise<void> => {
  await tx`
    delete from preset_images i where account_id = ${accountId} and not exists (
      select from presets p where p.account_id = i.account_id and p.image_sha256 = i.sha256
    )`;
};
