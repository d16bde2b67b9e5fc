/**
 * The variables of the environment. Each is one row of `VARIABLES`: its default, how it is read, and what it is for.
 * Tests compare docs/configuration.md and the compose file with these rows.
 */
import {
  flag,
  integer,
  oneOf,
  type Parse,
  publicUrl,
  redisUrl,
  store,
  text,
  trustedProxies,
  url,
  wordOr,
} from './parse.ts';

/** One variable: how it is read, and what docs/configuration.md says about it. */
export interface Variable<T> {
  readonly parse: Parse<T>;
  /** Parsed like a value that the operator wrote; `null` means unset. */
  readonly fallback: string | null;
  readonly example: string;
  readonly meaning: string;
}

const variable = <T>(
  fallback: string | null,
  parse: Parse<T>,
  example: string,
  meaning: string,
): Variable<T> => ({ parse, fallback, example, meaning });

/** Above the cores of common servers. Each process takes some hundred megabytes. */
const GATEWAYS_MAX = 128;

/** One row a variable, in the order of docs/configuration.md. */
export const VARIABLES = {
  HOST: variable(
    '127.0.0.1',
    text(/^[\w.:-]{1,255}$/, 'must be a host name or an IP address'),
    '0.0.0.0',
    'listen address',
  ),
  PORT: variable('3000', integer(0, 65535), '3000', 'listen port; `0` takes a free one'),
  PUBLIC_URL: variable(
    null,
    publicUrl,
    'https://qr.example.com',
    'base of short links; default `http://HOST:PORT`',
  ),
  TRUST_PROXY: variable(
    'false',
    trustedProxies,
    'loopback,10.0.0.0/8',
    'proxies whose X-Forwarded-For is believed',
  ),
  DATABASE_URL: variable(
    null,
    url('postgres:', 'postgresql:'),
    'postgres://user:secret@db:5432/tessera',
    'Postgres; unset: an embedded Postgres in `DATA_DIR`',
  ),
  REDIS_URL: variable(
    null,
    redisUrl,
    'redis://redis:6379',
    'Redis, a Sentinel group or a Cluster (`rediss` for TLS); unset: quota in the database; needed as soon as more than one gateway runs',
  ),
  GATEWAYS: variable(
    '1',
    wordOr('auto', integer(1, GATEWAYS_MAX)),
    'auto',
    'gateway processes on the one port, 1 to 128; `auto` = one for each available core; more than one needs `DATABASE_URL` and `REDIS_URL`',
  ),
  DATA_DIR: variable(
    './data',
    text(/^.{1,1000}$/s, 'must be a path'),
    './data',
    'embedded database, generated secrets, batches',
  ),
  DISK_FREE_MIN_BYTES: variable(
    '104857600',
    integer(0, 999_999_999_999_999),
    '104857600',
    'with the embedded database: `/readyz` says 503 when the disk of `DATA_DIR` has fewer bytes left',
  ),
  ADMIN_TOKEN: variable(
    null,
    text(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible ASCII characters'),
    'a-long-random-string',
    'bearer token of the admin API; unset: generated into `DATA_DIR` with the embedded database, otherwise the admin API is off',
  ),
  DEMO_ACCOUNT: variable(
    'true',
    flag,
    'false',
    'whether the first start on the embedded database makes an account `demo` and prints its key',
  ),
  RENDER_THREADS: variable(
    null,
    integer(1, 256),
    '4',
    'render threads of each gateway process; default: available cores divided by `GATEWAYS`, minus 1, at least 1; an extra thread draws small pictures while large ones and batches are drawn',
  ),
  RENDER_QUEUE_MAX: variable(
    null,
    integer(1, 1_000_000),
    '1024',
    'queued render tasks before 503; default: 20000 a thread, so that time and memory are the bounds',
  ),
  RENDER_QUEUE_MAX_BYTES: variable(
    '268435456',
    integer(1024, 100_000_000_000),
    '268435456',
    'bytes of queued render tasks, texts and logos, before 503',
  ),
  READ_THREADS: variable(
    null,
    integer(1, 256),
    '2',
    'threads of each gateway process that read pictures for receipts; they have the lowest priority, run only while there is something to read, and take at most a quarter of `RENDER_THREADS` while other work waits to be drawn; default: `RENDER_THREADS`',
  ),
  RATE_LIMIT_PER_SECOND: variable(
    '50',
    integer(0, 1_000_000),
    '50',
    'requests a second of an account, over all its keys and sessions; `0` = off',
  ),
  KEYS_PER_ACCOUNT_MAX: variable('100', integer(1, 1000), '100', 'keys that an account may have'),
  FREE_WORK_MS_PER_SECOND: variable(
    '500',
    integer(0, 1_000_000),
    '500',
    'milliseconds of processor time a second that an account may use for what costs no units (previews, checks, searches, pictures drawn again or refused, logos that fail), counted by each gateway; ten seconds of it may be used at once; `0` = off',
  ),
  PLAN_FREE_MONTHLY: variable(
    '100',
    integer(0, 1_000_000_000_000),
    '100',
    'monthly quota of the Free plan, unless the account has its own',
  ),
  PLAN_PRO_MONTHLY: variable(
    '10000',
    integer(0, 1_000_000_000_000),
    '10000',
    'monthly quota of the Pro plan, unless the account has its own',
  ),
  QUOTA_REFUND: variable(
    'failed',
    oneOf('failed', 'server', 'none'),
    'failed',
    'which failed bulk items give their unit back: `failed` all of them, `server` only those that failed through a fault of the service, `none` none; one below `Tessera-Min-Grade` always does',
  ),
  QUOTA_RESERVATION_TTL_MS: variable(
    '60000',
    integer(1000, 3_600_000),
    '60000',
    'milliseconds after which an unsettled reservation is given back',
  ),
  LOGO_FETCH_TIMEOUT_MS: variable(
    '5000',
    integer(100, 60_000),
    '5000',
    'milliseconds for fetching a logo, redirects included',
  ),
  LOGO_MAX_BYTES: variable(
    '2097152',
    integer(1024, 67_108_864),
    '2097152',
    'largest size of a fetched logo in bytes',
  ),
  LOGO_ALLOW_PRIVATE_NETWORKS: variable('false', flag, 'false', 'fetch logos from private addresses too'),
  BULK_BODY_LIMIT: variable(
    '220000000',
    integer(1024, 2_000_000_000),
    '220000000',
    'bytes of a bulk body; the default fits 100 full-size logos',
  ),
  BODIES_IN_FLIGHT_MAX: variable(
    '450000000',
    integer(1024, 100_000_000_000),
    '450000000',
    "bytes of customers' bodies that are being read or worked on; a body beyond that gets a 503",
  ),
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
  WEBHOOKS_PER_ACCOUNT_MAX: variable('10', integer(1, 1000), '10', 'webhooks that an account may have'),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: variable(
    'false',
    flag,
    'false',
    'send webhooks to private addresses too, on any port and also without TLS',
  ),
  SCAN_RETENTION_MONTHS: variable(
    '25',
    integer(1, 1200),
    '25',
    'months to keep scans; a month is dropped as a whole, after its last scan is older; totals stay',
  ),
  CODE_RETENTION_MONTHS: variable(
    null,
    integer(1, 1200),
    '24',
    'months after which a code moves to the bin, unless its folder is kept; codes with short links are left alone; default: never',
  ),
  LINK_RETENTION_MONTHS: variable(
    null,
    integer(1, 1200),
    '60',
    'the same for codes with short links, counted from the last scan by a person; then the printed link is dead; default: never',
  ),
  GEOIP_FILE: variable(
    null,
    text(/^.{1,1000}$/s, 'must be a path'),
    '/srv/geoip/GeoLite2-Country.mmdb',
    'MaxMind database (`.mmdb`) of countries or cities, for scans of which no header of a proxy says the country; read again when it changes',
  ),
  SHUTDOWN_GRACE_MS: variable(
    null,
    integer(0, 60_000),
    '5000',
    'milliseconds after SIGTERM for which work is still taken while `/readyz` says 503, so that balancers look elsewhere; default: 3000 with `REDIS_URL`, otherwise 0',
  ),
  METRICS_PUBLIC: variable('false', flag, 'true', '`/metrics` without the admin token'),
  LOG_LEVEL: variable(
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'pino level',
  ),
  ACCESS_LOG: variable(
    'all',
    oneOf('all', 'errors', 'off'),
    'errors',
    'lines for answered requests: for all of them, those with a status of 400 or more, or none; a `LOG_LEVEL` above `info` has none',
  ),
} as const;

type NullByDefault =
  | 'PUBLIC_URL'
  | 'DATABASE_URL'
  | 'REDIS_URL'
  | 'ADMIN_TOKEN'
  | 'RENDER_THREADS'
  | 'RENDER_QUEUE_MAX'
  | 'READ_THREADS'
  | 'BATCH_STORE'
  | 'AWS_ENDPOINT_URL'
  | 'AWS_ENDPOINT_URL_S3'
  | 'AWS_REGION'
  | 'GEOIP_FILE'
  | 'SHUTDOWN_GRACE_MS';

/** The values of the variables. */
export type Values = {
  readonly [K in keyof typeof VARIABLES]: (typeof VARIABLES)[K] extends Variable<infer T>
    ? T | (K extends NullByDefault ? null : never)
    : never;
};
