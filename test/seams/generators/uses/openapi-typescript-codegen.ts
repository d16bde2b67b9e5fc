import { ApiError, BatchesService, CodesService, GenerateService, OpenAPI } from './client/index.ts';
import { CSV, equal, ITEMS, isPicture, present, REFUSED } from './expect.ts';
import { folderName, key, url } from './gateway.ts';

OpenAPI.BASE = url;
OpenAPI.TOKEN = key;

isPicture((await GenerateService.createCode({ requestBody: { data: 'https://example.com/' } })).data);

const { meta } = await GenerateService.createCodes({
  requestBody: { items: ITEMS, folderName },
});
equal(meta.successful, 2, 'codes of a bulk call');

const asked = { folderId: meta.folder_id, limit: 1 };
const first = await CodesService.listCodes(asked);
const cursor = present(first.next_cursor, 'a second page');
const second = await CodesService.listCodes({ ...asked, cursor });
equal(first.data.length + second.data.length, 2, 'codes on two pages');
equal(second.next_cursor, null, 'a third page');

const rows = new Blob([CSV], { type: 'text/csv' });
// The client returns a header of the answer, because the first success, a 201, has no body.
await BatchesService.createBatch({ formData: { design: { width: 200, height: 200 }, rows } });
const [batch] = (await BatchesService.listBatches({ limit: 1 })).data;
equal(batch?.rows, 1, 'rows of the batch');

const refusal = await GenerateService.createCode({ requestBody: { data: '' } }).then(
  () => null,
  (error: unknown) => error,
);
equal(refusal instanceof ApiError && refusal.status, 400, 'the status of a refusal');
equal(refusal instanceof ApiError && refusal.body.error, REFUSED, 'the text of a refusal');
