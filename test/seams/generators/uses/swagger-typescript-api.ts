import { Api, type Batch, type BatchOptions, type HttpResponse } from './client/api.ts';
import { CSV, equal, ITEMS, isPicture, present, REFUSED } from './expect.ts';
import { folderName, key, url } from './gateway.ts';

const client = new Api({
  baseUrl: url,
  securityWorker: () => ({ headers: { Authorization: `Bearer ${key}` } }),
});

isPicture((await client.api.createCode({ data: 'https://example.com/' })).data.data);

const { data: bulk } = await client.api.createCodes({ items: ITEMS, folderName });
equal(bulk.meta.successful, 2, 'codes of a bulk call');

const { data: first } = await client.api.listCodes({ folder_id: bulk.meta.folder_id, limit: 1 });
const cursor = present(first.next_cursor, 'a second page');
const { data: second } = await client.api.listCodes({ folder_id: bulk.meta.folder_id, limit: 1, cursor });
equal(first.data.length + second.data.length, 2, 'codes on two pages');
equal(second.next_cursor, null, 'a third page');

// Its types know the first success only, a 201 without a body.
const JSON_BODY = { format: 'json' } as const;
const design: BatchOptions = { width: 200, height: 200 };
const rows = new File([CSV], 'rows.csv', { type: 'text/csv' });
const { data, status } = await client.api.createBatch(
  { folder_name: 'Generated' },
  { design, rows },
  JSON_BODY,
);
equal(status, 202, 'the status of a batch');
const batch = data as unknown as Batch;
equal((await client.api.getBatch(batch.id)).data.rows, 1, 'rows of the batch');

const refusal = await client.api.createCode({ data: '' }).then(
  () => null,
  (response: HttpResponse<unknown, { error: string }>) => response,
);
equal(refusal?.status, 400, 'the status of a refusal');
equal(refusal?.error.error, REFUSED, 'the text of a refusal');
