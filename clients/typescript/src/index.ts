/** What the package offers. */
export type {
  Batch,
  BatchCalls,
  BatchFile,
  BatchOptions,
  BatchRow,
  BatchRows,
  NewBatch,
  UploadedBatch,
} from './batches/batches.ts';
export type { PartPlace } from './batches/download.ts';
export type { BatchPart } from './batches/follow.ts';
export type { UploadOptions, UploadRows } from './batches/upload.ts';
export type { CallOptions } from './call.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { type Code, type Fault, TesseraError } from './error.ts';
export type {
  LinkChangeRow,
  LinkChanges,
  LinkJob,
  LinkJobCalls,
  LinkJobOptions,
  MovedLinks,
} from './link-jobs/link-jobs.ts';
export type { RawBody } from './request.ts';
export type { Rows } from './rows.ts';
export { type SignedPicture, type Signing, signPicture } from './signing.ts';
export type {
  Answer,
  Calls,
  Data,
  EachCalls,
  Input,
  OperationId,
  PagedId,
  Schemas,
} from './types.ts';
export {
  type Delivery,
  type Verification,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from './webhooks.ts';
