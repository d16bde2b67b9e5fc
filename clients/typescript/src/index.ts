/** What the package offers. */
export type { Batch, BatchCalls, BatchFile, BatchOptions, NewBatch } from './batches/batches.ts';
export type { BatchRow, BatchRows } from './batches/rows.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export { type Code, type Fault, TesseraError } from './error.ts';
export { type SignedPicture, type Signing, signPicture } from './signing.ts';
export type {
  Answer,
  CallOptions,
  Calls,
  Data,
  EachCalls,
  Input,
  OperationId,
  PagedId,
  RawBody,
  Schemas,
} from './types.ts';
export {
  type Delivery,
  type Verification,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from './webhooks.ts';
