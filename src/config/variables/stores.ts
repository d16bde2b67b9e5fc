import { namesOf } from '../../../workers/lists.ts';
import {
  clickHouseUrl,
  defineVariable,
  flag,
  integer,
  oneOf,
  redisUrl,
  text,
  url,
  wordOr,
} from '../parse.ts';
import { ROLES } from '../roles.ts';

/** Above the cores of common servers. Each process takes some hundred megabytes. */
const GATEWAYS_MAX = 128;

/** The stores of the service, the processes that share them, and what its first start makes. */
export const STORES = {
  DATABASE_URL: defineVariable(
    null,
    url('postgres:', 'postgresql:'),
    'Postgres; unset: an embedded Postgres in `DATA_DIR`',
    'postgres://user:secret@db:5432/tessera',
  ),
  LISTEN_DATABASE_URL: defineVariable(
    null,
    url('postgres:', 'postgresql:'),
    'when `DATABASE_URL` is that of a pooler such as PgBouncer: the same database without it, for the one connection of a gateway that hears of changes; [more](operations/stores.md#behind-a-pooler)',
    'postgres://user:secret@db:5432/tessera',
  ),
  DATABASE_READ_URL: defineVariable(
    null,
    url('postgres:', 'postgresql:'),
    'a streaming replica of `DATABASE_URL`, one server without a pooler: links that are not in memory are read there while the primary is away; [more](operations/stores.md#a-replica-for-redirects)',
    'postgres://user:secret@db2:5432/tessera',
  ),
  REDIS_URL: defineVariable(
    null,
    redisUrl,
    'Redis, a Sentinel group or a Cluster (`rediss` for TLS); unset: quota in the database; needed as soon as more than one gateway runs',
    'redis://redis:6379',
  ),
  CLICKHOUSE_URL: defineVariable(
    null,
    clickHouseUrl,
    'ClickHouse with its database, for single scans and their counts; unset: Postgres keeps them; the same for all gateways; [more](operations/clickhouse.md)',
    'http://tessera:secret@clickhouse:8123/tessera',
  ),
  SCAN_STREAM_MAX_BYTES: defineVariable(
    '268435456',
    integer(16_777_216, 1_000_000_000_000),
    'with `CLICKHOUSE_URL` and `REDIS_URL`: bytes of scans that may wait in Redis while ClickHouse is away; [more](operations/clickhouse.md#what-is-written)',
  ),
  GATEWAYS: defineVariable(
    '1',
    wordOr('auto', integer(1, GATEWAYS_MAX)),
    'gateway processes that share the port, 1 to 128; `auto` = one for each available core; more than one needs `DATABASE_URL` and, unless it serves redirects alone, `REDIS_URL`',
    'auto',
  ),
  ROLE: defineVariable(
    'all',
    oneOf(...namesOf(ROLES)),
    'what the gateway does: `redirect` answers visits only, `api` serves everything, `worker` does the work in the background, `all` both; [more](operations/roles.md)',
    'redirect',
  ),
  DATA_DIR: defineVariable(
    './data',
    text(/^.{1,1000}$/s, 'must be a path'),
    'embedded database, generated secrets, batches',
  ),
  DISK_FREE_MIN_BYTES: defineVariable(
    '104857600',
    integer(0, 999_999_999_999_999),
    'with the embedded database: `/readyz` says 503 when the disk of `DATA_DIR` has fewer bytes left',
  ),
  ADMIN_TOKEN: defineVariable(
    null,
    text(/^[\x21-\x7e]{16,255}$/, 'must be 16 to 255 visible ASCII characters'),
    'bearer token of the admin API; unset: generated into `DATA_DIR` with the embedded database, otherwise the admin API is off',
    'a-long-random-string',
  ),
  DEMO_ACCOUNT: defineVariable(
    'true',
    flag,
    'whether the first start on the embedded database makes an account `demo` and prints its key, or without a terminal writes it to `demo-key` in `DATA_DIR`',
    'false',
  ),
} as const;

/** How long scans, usage, codes and histories are kept, and where the countries of scans come from. */
export const RETENTION = {
  SCAN_RETENTION_MONTHS: defineVariable(
    '25',
    integer(1, 1200),
    'months to keep scans; whole months are dropped, once their last scan is older; totals are kept as long as the link',
  ),
  USAGE_RETENTION_MONTHS: defineVariable(
    null,
    integer(4, 1200),
    'months before the present one for which usage is kept by day; earlier usage is kept as one sum for each account; default: for ever',
    '36',
  ),
  CODE_RETENTION_MONTHS: defineVariable(
    null,
    integer(1, 1200),
    'months after which a code moves to the bin, unless its folder is kept; codes with short links are left alone; default: never',
    '24',
  ),
  LINK_RETENTION_MONTHS: defineVariable(
    null,
    integer(1, 1200),
    'the same for codes with short links, counted from the last scan by a person; then the printed link is dead; default: never',
    '60',
  ),
  HISTORY_RETENTION_MONTHS: defineVariable(
    null,
    integer(1, 1200),
    'months for which earlier addresses of links, items and dead links are kept after they were replaced, except for the last; default: as long as the link, item or account',
    '36',
  ),
  HISTORY_BYTES_PER_ACCOUNT_MAX: defineVariable(
    '268435456',
    integer(0, 1_000_000_000_000),
    'bytes of earlier addresses of links, items and dead links that are kept of an account; beyond that, each change removes earlier ones of what it changes, except for the last',
  ),
  GEOIP_FILE: defineVariable(
    null,
    text(/^.{1,1000}$/s, 'must be a path'),
    'MaxMind database (`.mmdb`) of countries or cities, for scans whose country no header of a proxy gives; read again when it changes',
    '/srv/geoip/GeoLite2-Country.mmdb',
  ),
} as const;
