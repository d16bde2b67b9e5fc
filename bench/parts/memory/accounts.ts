/** Accounts whose exports are larger than what the kernel keeps for a reader that has stopped. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Database } from '../../../src/db/database.ts';
import { insertScans } from '../../../src/db/tables/scans/scans.ts';
import { createAccount } from '../../../test/servers/account.ts';
import { ADMIN_TOKEN } from '../../../test/servers/testbed.ts';
import { scanRow } from '../../../test/support/scan.ts';
import { type Caller, createCaller } from '../neighbours/caller.ts';
import { gtinOf, longAddress } from '../neighbours/tenant.ts';

/** The things of an account whose answers are large. */
export interface Owner {
  readonly key: string;
  readonly folder: string;
  readonly batch: string;
  readonly verification: string;
  /** A code and a preset with a large logo. */
  readonly logoCode: string;
  readonly preset: string;
  readonly upload: string;
  /** A bulk call of the first account, whose answer has many large pictures. */
  readonly bulk: { readonly claim: string; readonly body: string };
}

const CODES = 500;
const ITEMS = 980;
const HREF_CHARACTERS = 4000;
const SCANS = 5000;
const LINES = 50_000;
const LOGO_PX = 690;
const PICTURES = 6;

const noise = async (px: number): Promise<string> => {
  const raw = { width: px, height: px, channels: 3 } as const;
  const png = await sharp(randomBytes(3 * px * px), { raw })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
};

const NDJSON = { 'content-type': 'application/x-ndjson' };

const made = async ({ ask }: Caller, path: string, body?: unknown, headers = {}): Promise<string> => {
  const sent = { headers, ...(body !== undefined && { body }) };
  const answer = await ask<{ readonly id: string }>('POST', path, sent);
  if (answer.status >= 300)
    throw new Error(`POST ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};

const ended = async ({ ask }: Caller, path: string): Promise<void> => {
  while (!['done', 'failed'].includes((await ask<{ readonly state: string }>('GET', path)).body.state))
    await sleep(100);
};

const importItems = async (caller: Caller, n: number): Promise<void> => {
  const rows = Array.from(
    { length: ITEMS },
    (_, i) => `${gtinOf(n)},S${i},gs1:pip,${longAddress(i).padEnd(HREF_CHARACTERS, 'x')},Juice`,
  );
  const own = `${gtinOf(n)},,gs1:pip,${longAddress('all')},Juice`;
  const body = ['gtin,serial,rel,href,title', own, ...rows].join('\n');
  await made(caller, '/api/v1/resolver/items/import', body, { 'content-type': 'text/csv' });
};

const addLines = async (sql: Database['sql'], batch: string): Promise<void> => {
  await sql`
    insert into batch_errors (batch_id, row, file_row, field, message)
    select ${batch}, n, n, 'data', ${'must be shorter; '.repeat(4)} from generate_series(1, ${LINES}::int) n`;
  await sql`
    insert into batch_duplicates (batch_id, row, first_row, file_row, first_file_row, kind)
    select ${batch}, n, 1, n, 1, 'content' from generate_series(1, ${LINES}::int) n`;
};

const NOTHING = {
  ...{ folder: '', batch: '', verification: '', logoCode: '', preset: '' },
  bulk: { claim: '', body: '' },
};

/** Makes the `n`th account on the Pro plan, and its things if it `hasThings` besides its key and an upload. */
export const createOwner = async (
  url: string,
  sql: Database['sql'],
  n: number,
  hasThings: boolean,
): Promise<Owner> => {
  const { key } = await createAccount(url, ADMIN_TOKEN, `owner ${n}`);
  const caller = createCaller({ url, key });
  const begun = await caller.send('POST', '/api/v1/batches', {
    headers: { ...NDJSON, 'upload-complete': '?0' },
  });
  const upload = String(begun.headers.location).split('/').at(-1)!;
  if (!hasThings) {
    await caller.end();
    return { ...NOTHING, key, upload };
  }
  const image = await noise(LOGO_PX);
  const folder = await made(caller, '/api/v1/folders', { name: 'many' });
  const rows = Array.from({ length: CODES }, (_, i) =>
    JSON.stringify({ data: longAddress(i), dynamic: true, tags: ['all'], dotsOptions: { type: 'dots' } }),
  );
  const batch = await made(caller, `/api/v1/batches?folder_id=${folder}`, rows.join('\n'), NDJSON);
  await ended(caller, `/api/v1/batches/${batch}`);
  await addLines(sql, batch);
  await importItems(caller, n);
  const { body } = await caller.ask<{ readonly data: readonly { readonly slug: string }[] }>(
    ...(['GET', `/api/v1/folders/${folder}/codes?limit=1`] as const),
  );
  for (let from = 0; from < SCANS; from += CODES)
    await insertScans(
      sql,
      Array.from({ length: CODES }, (_, i) =>
        scanRow({
          id: randomUUID(),
          at: new Date(Date.now() - 60_000 - 1000 * (from + i)),
          slug: body.data[0]!.slug,
        }),
      ),
    );
  const logoCode = await made(caller, '/api/v1/codes', { data: 'logo', image, width: 1000, height: 1000 });
  const preset = await made(caller, '/api/v1/presets', { name: 'logo', options: { image } });
  const isFirst = n === 0;
  const verification = isFirst ? await made(caller, `/api/v1/folders/${folder}/verifications`) : '';
  if (isFirst) await ended(caller, `/api/v1/folders/${folder}/verifications/${verification}`);
  const items = Array.from({ length: PICTURES }, (_, i) => ({ data: `${i}`, width: 2000, height: 2000 }));
  const bulk = { claim: randomUUID(), body: JSON.stringify({ folderName: 'large', items }) };
  if (isFirst)
    await made(caller, '/api/v1/qr/bulk', bulk.body, {
      'content-type': 'application/json',
      ...{ 'idempotency-key': bulk.claim, 'tessera-preset': preset },
    });
  await caller.end();
  return {
    ...{ key, folder, batch, verification, logoCode, preset, bulk, upload },
  };
};
