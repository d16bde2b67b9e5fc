import { BATCH_MAX_BYTES, UPLOADS } from '../../../../batches/receive/limits.ts';
import type { Upload } from '../../../../db/tables/batches/uploads.ts';

/** Returns the headers that say where an upload stands (draft-ietf-httpbis-resumable-upload, sections 4.1 to 4.3). */
export const uploadHeaders = ({ bytes, batchId, expiresAt }: Upload) => ({
  'upload-offset': bytes,
  'upload-complete': batchId === null ? '?0' : '?1',
  'upload-limit': `max-size=${BATCH_MAX_BYTES}, max-append-size=${UPLOADS.chunkMaxBytes}, max-age=${Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000))}`,
  'cache-control': 'no-store',
});
