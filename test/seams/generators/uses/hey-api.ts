import { client } from './client/client.gen.ts';
import { createBatch, createCode, createCodes, getBatch, listCodes } from './client/sdk.gen.ts';
import type { Batch } from './client/types.gen.ts';
import { CSV, equal, ITEMS, isPicture, present, REFUSED } from './expect.ts';
import { folderName, key, url } from './gateway.ts';

client.setConfig({ baseUrl: url, auth: ({ scheme }) => (scheme === 'bearer' ? key : undefined) });

const single = await createCode({ body: { data: 'https://example.com/' } });
isPicture(present(single.data, 'an answer').data);

const { data: bulk } = await createCodes({ body: { items: ITEMS, folderName } });
const meta = present(bulk, 'a bulk answer').meta;
equal(meta.successful, 2, 'codes of a bulk call');

const query = { folder_id: meta.folder_id, limit: 1 };
const first = present((await listCodes({ query })).data, 'a page');
const cursor = present(first.next_cursor, 'a second page');
const second = present((await listCodes({ query: { ...query, cursor } })).data, 'a page');
equal(first.data.length + second.data.length, 2, 'codes on two pages');
equal(second.next_cursor, null, 'a third page');

const rows = new Blob([CSV], { type: 'text/csv' });
const sent = await createBatch({ body: { design: { width: 200, height: 200 }, rows } });
equal(sent.response?.status, 202, 'the status of a batch');
// The type is that of the first success, a 201 without a body.
const batch = present(sent.data, 'a batch') as Batch;
const { data: made } = await getBatch({ path: { id: batch.id } });
equal(made?.rows, 1, 'rows of the batch');

const refusal = await createCode({ body: { data: '' } });
equal(refusal.response?.status, 400, 'the status of a refusal');
equal(refusal.error?.error, REFUSED, 'the text of a refusal');
