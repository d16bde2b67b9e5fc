import createClient from 'openapi-fetch';
import type { paths } from './client/client.ts';
import { CSV, equal, ITEMS, isPicture, present, REFUSED } from './expect.ts';
import { folderName, key, url } from './gateway.ts';

const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });

const single = await client.POST('/api/v1/qr', { body: { data: 'https://example.com/' } });
isPicture(present(single.data, 'an answer').data);

const { data: bulk } = await client.POST('/api/v1/qr/bulk', { body: { items: ITEMS, folderName } });
const { meta } = present(bulk, 'a bulk answer');
equal(meta.successful, 2, 'codes of a bulk call');

const query = { folder_id: meta.folder_id, limit: 1 };
const first = present((await client.GET('/api/v1/codes', { params: { query } })).data, 'a page');
const cursor = present(first.next_cursor, 'a second page');
const next = { params: { query: { ...query, cursor } } };
const second = present((await client.GET('/api/v1/codes', next)).data, 'a page');
equal(second.data.length, 1, 'codes on the second page');

const sent = await client.POST('/api/v1/batches', {
  params: { query: { folder_name: 'Generated' } },
  headers: { 'Content-Type': 'text/csv' },
  body: CSV,
  bodySerializer: (body) => body as string,
});
equal(sent.response.status, 202, 'the status of a batch');
const { id } = present(sent.data, 'a batch');
const { data: made } = await client.GET('/api/v1/batches/{id}', { params: { path: { id } } });
equal(made?.rows, 1, 'rows of the batch');

const refusal = await client.POST('/api/v1/qr', { body: { data: '' } });
equal(refusal.response.status, 400, 'the status of a refusal');
equal(refusal.error?.error, REFUSED, 'the text of a refusal');
