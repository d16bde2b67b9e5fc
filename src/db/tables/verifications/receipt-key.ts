import type { Sql } from '../../client.ts';

/**
 * Returns the installation's private key, saving `fresh` as that key if there is none. Concurrent gateways all get the
 * key of the first.
 */
export const ensureReceiptKey = async (sql: Sql, fresh: () => Buffer): Promise<Buffer> => {
  const find = () => sql<{ privateKey: Buffer }[]>`select private_key from receipt_key`;
  const [found] = await find();
  if (found) return found.privateKey;
  await sql`insert into receipt_key (private_key) values (${fresh()}) on conflict do nothing`;
  const [saved] = await find();
  if (saved === undefined) throw new Error('the key of the receipts was deleted while it was made');
  return saved.privateKey;
};
