/**
 * Reads the environment once and turns it into one frozen record. Nothing else reads the environment.
 *
 * Each variable is one row of `VARIABLES`: its default, how it is read, and what it is for. Tests compare
 * docs/configuration.md and the compose file with these rows.
 */

import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { ok, type Result, refused } from './result.ts';

/** Returns the value, or what is wrong with the text. */
type Parse<T> = (text: string) => Result<T, string>;

interface Variable<T> {
  readonly parse: Parse<T>;
  /** Parsed like a value that the operator wrote; `null` means unset. */
  readonly fallback: string | null;
  readonly example: string;
  readonly meaning: string;
}

const integer =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? ok(value) : refused(`must be a whole number from ${min} to ${max}`);
  };

const oneOf =
  <T extends string>(...values: readonly T[]): Parse<T> =>
  (text) => {
    const value = values.find((candidate) => candidate === text);
    return value === undefined ? refused(`must be one of ${values.join(', ')}`) : ok(value);
  };

const flag: Parse<boolean> = (text) => {
  const parsed = oneOf('true', 'false')(text);
  return parsed.ok ? ok(parsed.value === 'true') : parsed;
};

const url =
  (...protocols: readonly string[]): Parse<string> =>
  (text) => {
    const fault = refused(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    if (!protocols.some((protocol) => text.startsWith(`${protocol}//`))) return fault;
    // Postgres accepts several hosts separated by commas; `URL` would refuse the ports between them.
    return text.length > 2000 || /\s/.test(text) ? fault : ok(text);
  };

const publicUrl: Parse<string> = (text) => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    return refused('must be an absolute http or https URL');
  }
  const { search, hash, href } = new URL(text);
  return search || hash ? refused('must have no query or fragment') : ok(href.replace(/\/+$/, ''));
};

const text =
  (pattern: RegExp, rule: string): Parse<string> =>
  (value) =>
    pattern.test(value) ? ok(value) : refused(rule);

const NAMED_SUBNETS = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether it is an address or a subnet with its prefix length. `/0` is refused: it means everyone, as `true` does. */
const isSubnet = (text: string): boolean => {
  const [address = '', bits = '32', ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || !/^[1-9]\d{0,2}$/.test(bits)) return false;
  return Number(bits) <= (family === 4 ? 32 : 128);
};

/** The form that Fastify takes: whether all proxies are trusted, or which. */
const trustedProxies: Parse<boolean | string> = (written) => {
  if (written === 'true' || written === 'false') return ok(written === 'true');
  const wrong = written
    .split(',')
    .map((part) => part.trim())
    .find((part) => !NAMED_SUBNETS.includes(part) && !isSubnet(part));
  if (wrong === undefined) return ok(written);
  return refused(
    `must be false, true, or addresses, subnets and the words ${NAMED_SUBNETS.join(', ')} separated by commas; "${wrong.slice(0, 50)}" is none of these`,
  );
};

const variable = <T>(
  fallback: string | null,
  parse: Parse<T>,
  example: string,
  meaning: string,
): Variable<T> => ({ parse, fallback, example, meaning });

/** A gateway with Redis has a balancer, which needs time to see two failed health checks, a second apart. */
const BALANCED_GRACE_MS = 3000;

/** Two seconds of plain codes at a tenth of a millisecond each: 40 MB. The bound of time admits fewer slow tasks. */
const TASKS_A_THREAD = 20_000;

const defaultThreads = Math.max(1, availableParallelism() - 1);

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
    text(
      /^rediss?(\+(sentinel|cluster))?:\/\/[^\s/]+(\/[^\s]*)?$/,
      'must be redis://host:port, redis+sentinel://host:port,host:port/name or redis+cluster://host:port,host:port',
    ),
    'redis://redis:6379',
    'Redis, a Sentinel group or a Cluster (`rediss` for TLS); unset: quota in the database; needed as soon as more than one gateway runs',
  ),
  DATA_DIR: variable(
    './data',
    text(/^.{1,1000}$/s, 'must be a path'),
    './data',
    'embedded database, generated secrets',
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
  RENDER_THREADS: variable(
    String(defaultThreads),
    integer(1, 256),
    '4',
    'render threads; default: available cores - 1, at least 1; an extra thread draws small pictures while large ones and batches are drawn',
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
    'milliseconds of processor time a second that an account may use for what costs no units (previews, searches, pictures drawn again, logos that fail), counted by each gateway; ten seconds of it may be used at once; `0` = off',
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
    'which failed bulk items give their unit back: `failed` all of them, `server` only those that failed through a fault of the service, `none` none',
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
  SCAN_RETENTION_MONTHS: variable(
    '25',
    integer(1, 1200),
    '25',
    'months to keep scans; a month is dropped as a whole, after its last scan is older; totals stay',
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
} as const;

type NullByDefault =
  | 'PUBLIC_URL'
  | 'DATABASE_URL'
  | 'REDIS_URL'
  | 'ADMIN_TOKEN'
  | 'RENDER_QUEUE_MAX'
  | 'SHUTDOWN_GRACE_MS';

type Values = {
  readonly [K in keyof typeof VARIABLES]: (typeof VARIABLES)[K] extends Variable<infer T>
    ? T | (K extends NullByDefault ? null : never)
    : never;
};

/** Which failed items of a batch give their unit back; see `QUOTA_REFUND`. */
export type QuotaRefund = Values['QUOTA_REFUND'];

/** Settings of a gateway, checked, with defaults applied. Each variable of the environment has one field. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash; `null` when unset, since the listen address then decides. */
  readonly publicUrl: string | null;
  /** In the form that Fastify takes. */
  readonly trustProxy: boolean | string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  /** An absolute path. */
  readonly dataDir: string;
  readonly diskFreeMinBytes: number;
  readonly adminToken: string | null;
  readonly logLevel: Values['LOG_LEVEL'];
  /** Whether `/metrics` needs no admin token. */
  readonly metricsPublic: boolean;
  readonly rateLimitPerSecond: number;
  readonly keysPerAccountMax: number;
  readonly freeWorkMsPerSecond: number;
  readonly bulkBodyLimitBytes: number;
  readonly bodiesInFlightMaxBytes: number;
  readonly scanRetentionMonths: number;
  readonly shutdownGraceMs: number;
  readonly render: {
    readonly threads: number;
    readonly queueMax: number;
    readonly queueMaxBytes: number;
  };
  readonly quota: {
    readonly planMonthly: { readonly free: number; readonly pro: number };
    readonly refund: QuotaRefund;
    readonly reservationTtlMs: number;
  };
  readonly logo: {
    readonly fetchTimeoutMs: number;
    readonly maxBytes: number;
    readonly allowPrivateNetworks: boolean;
  };
}

/** All faults of the environment. Each is one line: the variable, what is wrong, an example. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const readValues = (env: Readonly<Record<string, string | undefined>>): Values => {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { parse, fallback, example }] of Object.entries<Variable<unknown>>(VARIABLES)) {
    // An empty value counts as unset, because compose files and shells pass on unset variables as ''.
    const written = env[name] || fallback;
    const parsed = written === null ? ok(null) : parse(written);
    if (!parsed.ok) faults.push(`${name}: ${parsed.fault}, for example ${name}=${example}`);
    else values[name] = parsed.value;
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return values as Values;
};

/**
 * Reads the settings from an environment.
 *
 * @throws {ConfigError} with all faults at once.
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const values = readValues(env);
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL,
    trustProxy: values.TRUST_PROXY,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    dataDir: resolve(values.DATA_DIR),
    diskFreeMinBytes: values.DISK_FREE_MIN_BYTES,
    adminToken: values.ADMIN_TOKEN,
    logLevel: values.LOG_LEVEL,
    metricsPublic: values.METRICS_PUBLIC,
    rateLimitPerSecond: values.RATE_LIMIT_PER_SECOND,
    keysPerAccountMax: values.KEYS_PER_ACCOUNT_MAX,
    freeWorkMsPerSecond: values.FREE_WORK_MS_PER_SECOND,
    bulkBodyLimitBytes: values.BULK_BODY_LIMIT,
    bodiesInFlightMaxBytes: values.BODIES_IN_FLIGHT_MAX,
    scanRetentionMonths: values.SCAN_RETENTION_MONTHS,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS ?? (values.REDIS_URL === null ? 0 : BALANCED_GRACE_MS),
    render: {
      threads: values.RENDER_THREADS,
      queueMax: values.RENDER_QUEUE_MAX ?? TASKS_A_THREAD * values.RENDER_THREADS,
      queueMaxBytes: values.RENDER_QUEUE_MAX_BYTES,
    },
    quota: {
      planMonthly: { free: values.PLAN_FREE_MONTHLY, pro: values.PLAN_PRO_MONTHLY },
      refund: values.QUOTA_REFUND,
      reservationTtlMs: values.QUOTA_RESERVATION_TTL_MS,
    },
    logo: {
      fetchTimeoutMs: values.LOGO_FETCH_TIMEOUT_MS,
      maxBytes: values.LOGO_MAX_BYTES,
      allowPrivateNetworks: values.LOGO_ALLOW_PRIVATE_NETWORKS,
    },
  });
};
