/** The requests of routes that make pictures, files of many of them, and receipts. */
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { LARGE_GRADIENT } from '../../../bench/load/styles.ts';
import { NDJSON } from '../../servers/caller.ts';
import { TAG, type Tenant } from '../tenant.ts';
import { type Attack, call, get, inTurn, type Lane, largePicture, of } from './attack.ts';

const ALL_FORMATS = 'format=png,svg,pdf,eps,webp';
/** As many as fit into a kilobyte. */
const ITEMS_DRAWN = 14;
const ITEMS_CHECKED = 50;
const ROWS = 14;

const largeItem = (n: number) => ({ data: `${n}`, width: 2000, height: 2000, dotsOptions: { type: 'dots' } });
const largeItems = ({ next }: Lane) => Array.from({ length: ITEMS_DRAWN }, () => largeItem(next()));
const rows = (lane: Lane) =>
  Array.from({ length: ROWS }, () => JSON.stringify(largeItem(lane.next()))).join('\n');

const table = ({ next }: Lane) => ['data', ...Array.from({ length: 200 }, () => next() % 1000)].join('\n');

/** Reads a receipt in both forms. @param path That of the verification. */
const receipt = (path: (tenant: Tenant) => string): Attack =>
  inTurn(
    get(({ tenant }) => `${path(tenant)}/receipt?format=json`),
    get(({ tenant }) => `${path(tenant)}/receipt?format=html`),
  );
const ofFolder = ({ otherFolder, verification }: Tenant) =>
  `/folders/${otherFolder}/verifications/${verification}`;
const ofCodes = ({ codesVerification }: Tenant) => `/code-verifications/${codesVerification}`;

/** Begins an upload, sends its rows if there are any, and deletes it. */
const uploaded =
  (body?: (lane: Lane) => string): Attack =>
  async (lane) => {
    const headers = { ...NDJSON, 'upload-complete': '?0' };
    const begun = await lane.send('POST', '/api/v1/batches', { headers });
    if (begun.status >= 300) return;
    const path = `/api/v1/batch-uploads/${String(begun.headers.location).split('/').at(-1)!}`;
    const type = { 'content-type': 'application/partial-upload' };
    if (body !== undefined)
      await lane.send('PATCH', path, {
        headers: { ...type, 'upload-offset': '0', 'upload-complete': '?0' },
        body: body(lane),
      });
    await lane.send('DELETE', path);
  };

/** Signs the address of a picture, and shows it. */
const shown: Attack = async (lane) => {
  const { status, body } = await lane.ask<{ readonly url: string }>('POST', '/api/v1/signed-urls', {
    body: largePicture(lane),
  });
  return status < 300 ? lane.send('GET', new URL(body.url).pathname) : undefined;
};

const SCAN_PX = 3000;

/** A photo in which nothing is a symbol, and everything may be a part of one. */
const drawNoise = (): Promise<Buffer> => {
  const raw = { width: SCAN_PX, height: SCAN_PX, channels: 1 } as const;
  return sharp(randomBytes(SCAN_PX ** 2), { raw })
    .threshold()
    .jpeg({ quality: 40 })
    .toBuffer();
};
let noise: Promise<Buffer> | undefined;

/** Has a picture compared with a folder. */
const scanned: Attack = async (lane) => {
  noise ??= drawNoise();
  const sent = { headers: { 'content-type': 'image/jpeg' }, body: await noise };
  return lane.send('POST', `/api/v1/folders/${lane.tenant.folder}/scan-check`, sent);
};

/** By the `operationId`. */
export const PICTURES: Readonly<Record<string, Attack>> = {
  createCode: call('POST', '/qr', largePicture),
  createFile: call('POST', '/qr/file', largePicture, { accept: 'image/webp' }),
  createBarcode: call('POST', '/barcodes/file?text=gs1&module_mm=0.99&round=down&dpi=1200', ({ next }) => ({
    symbology: 'gs1-datamatrix',
    data: `(91)${next()}${'a'.repeat(80)}(92)${'b'.repeat(90)}`,
  })),
  createCodes: call('POST', '/qr/bulk', (lane) => ({ folderName: 'large', items: largeItems(lane) })),
  renderCode: get(({ next }) => `/render?width=1000&content=${next()}${'a'.repeat(700)}`),
  checkCode: call('POST', '/qr/check', largePicture),
  checkCodes: call('POST', '/qr/bulk/check', ({ next }) => ({
    items: Array.from({ length: ITEMS_CHECKED }, () => ({ data: `${next()}` })),
  })),
  checkGsData: call('POST', '/gs1/check', ({ next, tenant: { gtin } }) => ({
    value: `(01)${gtin}(10)L${next()}(21)S1(17)261231(3103)000123(8200)https://example.com/`,
  })),
  saveCode: call('POST', '/codes', (lane) => ({ ...largePicture(lane), dynamic: true })),
  getCodeImage: get(
    (lane) => `${of('/codes/:id/image', 'logoCode')(lane)}?width=${1000 + (lane.next() % 1000)}`,
  ),
  getFolderArchive: get(of(`/folders/:id/archive?${ALL_FORMATS}`, 'folder')),
  getCodesArchive: call('POST', `/codes/archive?${ALL_FORMATS}`, () => ({ tag: TAG })),
  createCodesSheets: call('POST', '/codes/sheets', ({ tenant }) => ({
    ids: tenant.codes,
    template: 'avery-l7160',
  })),
  createSheets: call('POST', of('/folders/:id/sheets', 'folder'), () => ({ template: 'avery-l7160' })),

  checkScan: scanned,
  createVerification: call('POST', of('/folders/:id/verifications', 'folder')),
  listVerifications: get(of('/folders/:id/verifications?limit=100', 'otherFolder')),
  getVerification: get(({ tenant }) => ofFolder(tenant)),
  getReceipt: receipt(ofFolder),
  createCodesVerification: call('POST', '/code-verifications', () => ({ tag: TAG })),
  listCodesVerifications: get('/code-verifications?limit=100'),
  getCodesVerification: get(({ tenant }) => ofCodes(tenant)),
  getCodesReceipt: receipt(ofCodes),

  previewBatch: call('POST', '/batches/preview?rows=1000', table, {
    'content-type': 'text/csv',
    design: JSON.stringify(LARGE_GRADIENT),
  }),
  createBatch: call('POST', '/batches', rows, NDJSON),
  listBatches: get('/batches?limit=100'),
  getBatch: get(of('/batches/:id', 'batch')),
  cancelBatch: call('POST', of('/batches/:id/cancel', 'batch')),
  listBatchErrors: get(of('/batches/:id/errors', 'failedBatch')),
  listBatchDuplicates: get(of('/batches/:id/duplicates', 'batch')),
  createReprint: call('POST', of('/batches/:id/reprints', 'batch'), () => ({ from: 1, to: 1000 })),
  listReprints: get(of('/batches/:id/reprints?limit=100', 'batch')),
  getBatchReport: get(of('/batches/:id/report', 'batch')),
  listBatchParts: get(of('/batches/:id/parts', 'batch')),
  getBatchPart: get(of('/batches/:id/parts/1', 'batch')),
  getUpload: get(of('/batch-uploads/:id', 'upload')),
  appendToUpload: uploaded(rows),
  deleteUpload: uploaded(),

  listCounters: get('/counters'),
  getCounter: get('/counters/serial'),
  putCounter: call('PUT', '/counters/serial', () => ({ next: 1 })),
  takeCounterNumbers: call('POST', '/counters/serial/take', () => ({ count: 1000 })),
  listCounterBlocks: get('/counters/serial/blocks?limit=100'),

  showSignedPicture: shown,
};
