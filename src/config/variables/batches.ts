import { defineVariable, flag, integer, store, text, url } from '../parse.ts';

/** A hundred terabytes. */
const BYTES_MAX = 1e14;

/** Batches, where their rows and results are stored, and webhooks. */
export const BATCHES = {
  BATCH_WORKERS: defineVariable(
    '2',
    integer(0, 64),
    'pieces of batches that each gateway process works on at a time, behind all other work; `0`: it takes none, nor link jobs, and other gateways do the work',
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
    'the same, only for S3',
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

/** Logos that are fetched, and bodies of requests. */
export const BODIES = {
  LOGO_FETCH_TIMEOUT_MS: defineVariable(
    '5000',
    integer(100, 60_000),
    'milliseconds for fetching a logo, redirects included',
  ),
  LOGO_MAX_BYTES: defineVariable(
    '2097152',
    integer(1024, 67_108_864),
    'largest size of a fetched logo in bytes',
  ),
  LOGO_ALLOW_PRIVATE_NETWORKS: defineVariable('false', flag, 'fetch logos from private addresses too'),
  BULK_BODY_LIMIT: defineVariable(
    '220000000',
    integer(1024, 2_000_000_000),
    'bytes of a bulk body; the default fits 100 full-size logos',
  ),
  BODIES_IN_FLIGHT_MAX: defineVariable(
    '450000000',
    integer(1024, 100_000_000_000),
    "bytes of customers' bodies that are being read or worked on; a body beyond that gets a 503",
  ),
  LINGER_MS: defineVariable(
    '30000',
    integer(0, 120_000),
    'milliseconds for which the rest of a refused body is read and dropped after its answer, so that clients that are still sending receive it; 5000 without a byte end this; at most 256 connections at a time; `0` = off',
  ),
  LINGER_MAX_BYTES: defineVariable(
    '268435456',
    integer(0, 100_000_000_000),
    'bytes of one refused body that are read and dropped',
  ),
} as const;
