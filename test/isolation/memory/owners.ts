/** Accounts whose exports are larger than what the kernel keeps for a reader that has stopped. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/db/database.ts';
import { createAccount } from '../../servers/account.ts';
import { createCaller } from '../../servers/caller.ts';
import { ADMIN_TOKEN } from '../../servers/testbed.ts';
import { beginUpload, createTenant, type Tenant } from '../tenant.ts';

/** What stalled senders need: a key and an upload. */
export type Sender = Pick<Tenant, 'key' | 'upload'>;

/** What stalled readers read. */
export interface Reader extends Tenant {
  /** A bulk call that was made, whose answer has many large pictures. */
  readonly bulk: { readonly claim: string; readonly body: string };
}

const HREF_CHARACTERS = 4000;
const LINES = 50_000;
const PICTURES = 6;

/** Makes the `n`th account, with a key and an upload only. */
export const createSender = async (url: string, n: number): Promise<Sender> => {
  const { key } = await createAccount(url, ADMIN_TOKEN, `sender ${n}`);
  const caller = createCaller({ url, key });
  const upload = await beginUpload(caller);
  await caller.end();
  return { key, upload };
};

/** Makes the `n`th account with much of everything, and a batch with many errors and duplicates. */
export const createReader = async (url: string, sql: Database['sql'], n: number): Promise<Reader> => {
  const tenant = await createTenant(url, sql, n, HREF_CHARACTERS);
  await sql`
    insert into batch_errors (batch_id, row, file_row, field, message)
    select ${tenant.batch}, n, n, 'data', ${'must be shorter; '.repeat(4)} from generate_series(1, ${LINES}::int) n`;
  await sql`
    insert into batch_duplicates (batch_id, row, first_row, file_row, first_file_row, kind)
    select ${tenant.batch}, n, 1, n, 1, 'content' from generate_series(1, ${LINES}::int) n`;
  const items = Array.from({ length: PICTURES }, (_, i) => ({ data: `${i}`, width: 2000, height: 2000 }));
  const bulk = { claim: randomUUID(), body: JSON.stringify({ folderName: 'large', items }) };
  const caller = createCaller(tenant);
  await caller.make('POST', '/api/v1/qr/bulk', {
    headers: { 'idempotency-key': bulk.claim, 'tessera-preset': tenant.preset },
    body: bulk.body,
  });
  await caller.end();
  return { ...tenant, bulk };
};
