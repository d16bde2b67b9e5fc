import { integer, store, text, url } from '../parse.ts';
import { variable } from './variable.ts';

/** Batches, and where their rows and results are stored. */
export const BATCHES = {
  BATCH_WORKERS: variable(
    '2',
    integer(0, 64),
    '2',
    'pieces of batches that each gateway process works on at a time, behind all other work; `0`: it takes none, and other gateways do the work',
  ),
  BATCH_STORE: variable(
    null,
    store,
    's3://bucket/prefix',
    'folder, or `s3://bucket/prefix`, for the rows and results of batches; all gateways must share it; default: `batches` in `DATA_DIR`',
  ),
  AWS_ENDPOINT_URL: variable(
    null,
    url('http:', 'https:'),
    'http://minio:9000',
    'with `s3://`: server of another maker than AWS, whose buckets stand in the path; `AWS_ENDPOINT_URL_S3` comes first',
  ),
  AWS_ENDPOINT_URL_S3: variable(null, url('http:', 'https:'), 'http://minio:9000', 'the same, for S3 alone'),
  AWS_REGION: variable(
    null,
    text(/^[a-z\d-]{1,63}$/i, 'must be the name of a region'),
    'eu-central-1',
    'with `s3://`: region of the bucket; default: that of the AWS profile, and `us-east-1` at servers of other makers',
  ),
  BATCH_RETENTION_DAYS: variable(
    '7',
    integer(1, 365),
    '7',
    'days for which results of a batch are kept, and after which one that has not ended expires',
  ),
  BATCH_ROWS_MAX: variable('1000000', integer(1, 1_000_000), '1000000', 'rows of a batch'),
  BATCHES_OPEN_MAX: variable(
    '20',
    integer(1, 1000),
    '20',
    'batches of an account that have not ended; fifty times as many are kept in all',
  ),
} as const;
