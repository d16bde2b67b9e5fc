import { flag, integer, store, text, url } from '../parse.ts';
import { defineVariable } from './variable.ts';

/** A hundred terabytes. */
const BYTES_MAX = 1e14;

/** Batches, where their rows and results are stored, and webhooks. */
export const BATCHES = {
  BATCH_WORKERS: defineVariable(
    '2',
    integer(0, 64),
    'pieces of batches that each gateway process works on at a time, behind all other work; `0`: it takes none, and other gateways do the work',
  ),
  BATCH_STORE: defineVariable(
    null,
    store,
    'folder, or `s3://bucket/prefix`, for the rows and results of batches; all gateways must share it; default: `batches` in `DATA_DIR`',
    's3://bucket/prefix',
  ),
  AWS_ENDPOINT_URL: defineVariable(
    null,
    url('http:', 'https:'),
    'with `s3://`: URL of a server other than AWS, with buckets in the path; `AWS_ENDPOINT_URL_S3` takes precedence',
    'http://minio:9000',
  ),
  AWS_ENDPOINT_URL_S3: defineVariable(
    null,
    url('http:', 'https:'),
    'the same, for S3 alone',
    'http://minio:9000',
  ),
  AWS_REGION: defineVariable(
    null,
    text(/^[a-z\d-]{1,63}$/i, 'must be the name of a region'),
    'with `s3://`: region of the bucket; default: that of the AWS profile, and `us-east-1` for servers other than AWS',
    'eu-central-1',
  ),
  BATCH_RETENTION_DAYS: defineVariable(
    '7',
    integer(1, 365),
    'days for which results of a batch are kept, and after which one that has not ended expires',
  ),
  BATCH_ROWS_MAX: defineVariable('1000000', integer(1, 1_000_000), 'rows of a batch'),
  BATCH_BYTES_MAX: defineVariable(
    '2000000000',
    integer(1_000_000, BYTES_MAX),
    'bytes of the rows of a batch as they are stored, which for CSV and XLSX is JSON',
  ),
  BATCHES_BYTES_MAX: defineVariable(
    '100000000000',
    integer(1_000_000, BYTES_MAX),
    'bytes of rows and results that are kept of the batches of an account; what would exceed them is refused, and a batch that is being made fails',
  ),
  BATCHES_OPEN_MAX: defineVariable(
    '20',
    integer(1, 1000),
    'batches of an account that have not ended; fifty times as many are kept in all',
  ),
  COUNTERS_PER_ACCOUNT_MAX: defineVariable('100', integer(1, 1000), 'counters that an account may have'),
  WEBHOOKS_PER_ACCOUNT_MAX: defineVariable('10', integer(1, 1000), 'webhooks that an account may have'),
  EVENTS_PER_ACCOUNT_MAX: defineVariable(
    '1000000',
    integer(1000, 1_000_000_000),
    'events of an account that are kept for 30 days, and deliveries that may wait for a webhook; older ones are removed, or given up',
  ),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: defineVariable(
    'false',
    flag,
    'send webhooks to private addresses too, on any port and also without TLS',
  ),
} as const;
