import { createBatch, createCode, createCodes, defaults, getBatch, listCodes } from './client/client.ts';
import { CSV, equal, ITEMS, isPicture, present, REFUSED } from './expect.ts';
import { folderName, key, url } from './gateway.ts';

defaults.baseUrl = url;
defaults.headers = { Authorization: `Bearer ${key}` };

const single = await createCode({ data: 'https://example.com/' }, {});
equal(single.status, 200, 'the status of a code');
if (single.status === 200) isPicture(single.data.data);

const bulk = await createCodes({ items: ITEMS, folderName }, {});
if (bulk.status !== 200) throw new Error(`a bulk call: ${bulk.status}`);
equal(bulk.data.meta.successful, 2, 'codes of a bulk call');

const asked = { folderId: bulk.data.meta.folder_id, limit: 1 };
const first = await listCodes(asked);
if (first.status !== 200) throw new Error(`a list: ${first.status}`);
const cursor = present(first.data.next_cursor, 'a second page');
const second = await listCodes({ ...asked, cursor });
if (second.status !== 200) throw new Error(`a list: ${second.status}`);
equal(first.data.data.length + second.data.data.length, 2, 'codes on two pages');
equal(second.data.next_cursor, null, 'a third page');

const rows = new Blob([CSV], { type: 'text/csv' });
const sent = await createBatch({ design: { width: 200, height: 200 }, rows }, { folderName: 'Generated' });
if (sent.status !== 202) throw new Error(`a batch: ${JSON.stringify(sent)}`);
const made = await getBatch(sent.data.id);
equal(made.status === 200 && made.data.rows, 1, 'rows of the batch');

const refusal = await createCode({ data: '' }, {});
equal(refusal.status, 400, 'the status of a refusal');
equal(refusal.status === 400 && refusal.data.error, REFUSED, 'the text of a refusal');
