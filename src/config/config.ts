/** Reads the environment once and turns it into one frozen record. Nothing else reads the environment. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { ok, type Result, refused } from '../result.ts';
import type { StorePlace } from '../storage/open.ts';
import type { TracingOptions } from '../tracing/trace.ts';
import type { Variable } from './parse.ts';
import { type Duties, ROLES, type SharedStore } from './roles.ts';
import { readSecrets } from './secrets.ts';
import { ACCOUNTS, ADDRESSES } from './variables/accounts.ts';
import { BATCHES, BODIES } from './variables/batches.ts';
import { OPERATION, THREADS, TRACING } from './variables/operation.ts';
import { RETENTION, STORES } from './variables/stores.ts';

/**
 * The variables: one row for each, in the order of docs/configuration.md. A row is its default, how it is read, and what
 * it is for. Tests compare docs/configuration.md and the compose file with these rows.
 */
export const VARIABLES = {
  ...ADDRESSES,
  ...STORES,
  ...THREADS,
  ...ACCOUNTS,
  ...BODIES,
  ...BATCHES,
  ...RETENTION,
  ...OPERATION,
  ...TRACING,
} as const;

/** The values of the variables; `null` for one that is unset and has no default. */
export type Values = {
  readonly [K in keyof typeof VARIABLES]: (typeof VARIABLES)[K] extends Variable<infer T, infer F>
    ? T | (F extends null ? null : never)
    : never;
};

/** The addresses of the stores that several processes share. */
export type SharedStores = Readonly<Record<SharedStore, string | null>>;

/** Returns the variables without which only one process can run. */
const missingFor = (stores: SharedStores, { shares }: Pick<Duties, 'shares'>): readonly SharedStore[] =>
  shares.filter((name) => stores[name] === null);

/**
 * Returns how many gateway processes run: the configured number, or for `auto` one for each core. Without the stores that
 * they share `auto` means one process, and a larger number is refused.
 */
export const countGateways = (
  wanted: number | 'auto',
  cores: number,
  stores: SharedStores,
  duties: Pick<Duties, 'shares'> = ROLES.all,
): Result<number, string> => {
  const missing = missingFor(stores, duties);
  if (missing.length === 0) return ok(wanted === 'auto' ? cores : wanted);
  if (wanted === 'auto' || wanted === 1) return ok(1);
  return refused(`${wanted} processes share their stores: set ${missing.join(' and ')} too`);
};

/** Returns the default of render threads in each process: the cores are divided, and each event loop has one. */
export const renderThreadsOf = (cores: number, gateways: number): number =>
  Math.max(1, Math.floor(cores / gateways) - 1);

const CONNECTIONS_MAX = 10;
const CONNECTIONS_MIN = 3;
/** Connections of all processes together, as long as each has the least number. */
const CONNECTIONS_TOTAL = 24;

/**
 * Returns how many connections to Postgres each process holds for queries, so that 24 processes, with one more each to
 * listen for changes, fit into the 100 connections that Postgres allows by default.
 */
export const databaseConnectionsOf = (gateways: number): number =>
  Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS_MIN, Math.floor(CONNECTIONS_TOTAL / gateways)));

/** A balancer needs time to see two failed health checks, a second apart. */
const BALANCED_GRACE_MS = 3000;

/** Whether there are several gateways, and so a balancer in front of them. */
const isBalanced = ({ REDIS_URL, ROLE }: Values): boolean => REDIS_URL !== null || ROLE !== 'all';

/** Two seconds of plain codes at a tenth of a millisecond each: 40 MB. The bound of time admits fewer slow tasks. */
const TASKS_A_THREAD = 20_000;

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
  const secrets = readSecrets(env);
  const faults = [...secrets.faults];
  const values: Record<string, unknown> = {};
  for (const [name, { parse, fallback, example }] of Object.entries<Variable<unknown>>(VARIABLES)) {
    // An empty value counts as unset, because compose files and shells pass on unset variables as ''.
    const written = env[name] || secrets.values[name] || fallback;
    const parsed = written === null ? ok(null) : parse(written);
    if (!parsed.ok) faults.push(`${name}: ${parsed.fault}, for example ${name}=${example}`);
    else values[name] = parsed.value;
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return values as Values;
};

/** Number of gateway processes. @throws {ConfigError} when stores of their own are missing that several would share. */
const readGateways = (values: Values): number => {
  const { GATEWAYS, ROLE } = values;
  const count = countGateways(GATEWAYS, availableParallelism(), values, ROLES[ROLE]);
  if (!count.ok) throw new ConfigError([`GATEWAYS: ${count.fault}, or GATEWAYS=1`]);
  return count.value;
};

const notesOf = (values: Values): readonly string[] => {
  const { GATEWAYS, ROLE } = values;
  const missing = missingFor(values, ROLES[ROLE]);
  if (GATEWAYS !== 'auto' || missing.length === 0) return [];
  return [`GATEWAYS=auto runs one process: several need ${missing.join(' and ')} too.`];
};

const tracingOf = (values: Values): TracingOptions | null =>
  values.OTEL_EXPORTER_OTLP_ENDPOINT === null
    ? null
    : {
        endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
        headers: values.OTEL_EXPORTER_OTLP_HEADERS ?? {},
        serviceName: values.OTEL_SERVICE_NAME,
        sampling: values.OTEL_TRACES_SAMPLER,
        ratio: values.OTEL_TRACES_SAMPLER_ARG,
      };

const batchStoreOf = (values: Values): StorePlace => {
  const { BATCH_STORE, DATA_DIR, AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3, AWS_REGION } = values;
  const written = BATCH_STORE ?? { folder: join(DATA_DIR, 'batches') };
  if ('folder' in written) return { folder: resolve(written.folder) };
  return { ...written, endpoint: AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL, region: AWS_REGION };
};

/** Limits of accounts, and what is kept for how long. */
const accountsOf = (values: Values) => ({
  rateLimitPerSecond: values.RATE_LIMIT_PER_SECOND,
  keysPerAccountMax: values.KEYS_PER_ACCOUNT_MAX,
  importedLinksMax: values.IMPORTED_LINKS_PER_ACCOUNT_MAX,
  freeWorkMsPerSecond: values.FREE_WORK_MS_PER_SECOND,
  batches: {
    workers: ROLES[values.ROLE].works ? values.BATCH_WORKERS : 0,
    store: batchStoreOf(values),
    retentionDays: values.BATCH_RETENTION_DAYS,
    rowsMax: values.BATCH_ROWS_MAX,
    /** Bytes of the rows of one batch. */
    maxBytes: values.BATCH_BYTES_MAX,
    /** Bytes of the rows and results of all batches of an account. */
    accountMaxBytes: values.BATCHES_BYTES_MAX,
    openMax: values.BATCHES_OPEN_MAX,
    countersMax: values.COUNTERS_PER_ACCOUNT_MAX,
  },
  webhooks: {
    maxPerAccount: values.WEBHOOKS_PER_ACCOUNT_MAX,
    maxEvents: values.EVENTS_PER_ACCOUNT_MAX,
    allowPrivateNetworks: values.WEBHOOK_ALLOW_PRIVATE_NETWORKS,
  },
  scanRetentionMonths: values.SCAN_RETENTION_MONTHS,
  /** Months; `null`: for ever. */
  usageRetentionMonths: values.USAGE_RETENTION_MONTHS,
  historyMaxBytes: values.HISTORY_BYTES_PER_ACCOUNT_MAX,
  /** Months; `null`: for ever. */
  historyRetentionMonths: values.HISTORY_RETENTION_MONTHS,
  /** Months; `null`: for ever. */
  codeRetention: { codesMonths: values.CODE_RETENTION_MONTHS, linksMonths: values.LINK_RETENTION_MONTHS },
  quota: {
    planMonthly: { free: values.PLAN_FREE_MONTHLY, pro: values.PLAN_PRO_MONTHLY },
    /** Which failed items of bulk calls and rows of batches give their unit back. */
    refund: values.QUOTA_REFUND,
    reservationTtlMs: values.QUOTA_RESERVATION_TTL_MS,
  },
});

/** Bodies, logos and threads of each gateway process. */
const workOf = (values: Values, threads: number) => ({
  bulkBodyLimitBytes: values.BULK_BODY_LIMIT,
  bodiesInFlightMaxBytes: values.BODIES_IN_FLIGHT_MAX,
  /** For how long, and up to how many bytes, the rest of a refused request is read. */
  lingering: { timeoutMs: values.LINGER_MS, maxBytes: values.LINGER_MAX_BYTES },
  /** Threads that read pictures for receipts. */
  readThreads: values.READ_THREADS ?? threads,
  render: {
    threads,
    queueMax: values.RENDER_QUEUE_MAX ?? TASKS_A_THREAD * threads,
    queueMaxBytes: values.RENDER_QUEUE_MAX_BYTES,
  },
  logo: {
    fetchTimeoutMs: values.LOGO_FETCH_TIMEOUT_MS,
    maxBytes: values.LOGO_MAX_BYTES,
    allowPrivateNetworks: values.LOGO_ALLOW_PRIVATE_NETWORKS,
  },
});

/** @throws {ConfigError} When a gateway with a role of its own lacks a store that it shares with the others. */
const checkRole = (values: Values): void => {
  const { ROLE } = values;
  const missing = missingFor(values, ROLES[ROLE]);
  if (ROLE === 'all' || missing.length === 0) return;
  const fault = `a gateway with the role ${ROLE} shares its stores with others: set ${missing.join(' and ')} too`;
  throw new ConfigError([`ROLE: ${fault}, or ROLE=all`]);
};

/** @throws {ConfigError} When variables of the database do not belong together. */
const checkDatabases = ({ DATABASE_URL, LISTEN_DATABASE_URL, DATABASE_READ_URL }: Values): void => {
  if (LISTEN_DATABASE_URL !== null && DATABASE_URL === null)
    throw new ConfigError(['LISTEN_DATABASE_URL: is for a pooler at DATABASE_URL: set that too']);
  if (DATABASE_READ_URL !== null && DATABASE_URL === null)
    throw new ConfigError(['DATABASE_READ_URL: is for a replica of DATABASE_URL: set that too']);
  if (/^\w+:\/\/([^@/]*@)?[^@/?]*,/.test(DATABASE_READ_URL ?? ''))
    throw new ConfigError(['DATABASE_READ_URL: must name one server']);
};

/**
 * Reads the settings from an environment, with defaults applied. Each variable has one field.
 *
 * @throws {ConfigError} with all faults at once.
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>) => {
  const values = readValues(env);
  checkRole(values);
  const gateways = readGateways(values);
  checkDatabases(values);
  if (values.UNKNOWN_HOSTS === 'refuse' && values.PUBLIC_URL === null)
    throw new ConfigError(['UNKNOWN_HOSTS: set PUBLIC_URL too, whose host is known']);
  return Object.freeze({
    duties: ROLES[values.ROLE] as Duties,
    /** What the operator should know although nothing is wrong, one line each. */
    notes: notesOf(values),
    host: values.HOST,
    port: values.PORT,
    /** Without a trailing slash; `null` when unset, since the listen address then decides. */
    publicUrl: values.PUBLIC_URL,
    resolver: {
      isOn: values.RESOLVER === 'on',
      /** Without a trailing slash; `null`: that of short links. */
      url: values.RESOLVER_URL,
      cacheMax: values.RESOLVER_CACHE_MAX,
      itemsMax: values.RESOLVER_ITEMS_PER_ACCOUNT_MAX,
    },
    /** Whether requests for hosts that nobody has are refused. */
    refusesUnknownHosts: values.UNKNOWN_HOSTS === 'refuse',
    domains: { perAccountMax: values.DOMAINS_PER_ACCOUNT_MAX, nameServers: values.DOMAIN_NAME_SERVERS ?? [] },
    /** In the form that Fastify takes. */
    trustProxy: values.TRUST_PROXY,
    databaseUrl: values.DATABASE_URL,
    /** `null`: changes are heard at `databaseUrl`. */
    listenDatabaseUrl: values.LISTEN_DATABASE_URL,
    /** A streaming replica; `null`: there is none. */
    readDatabaseUrl: values.DATABASE_READ_URL,
    redisUrl: values.REDIS_URL,
    /** ClickHouse with its database, which keeps single scans; `null`: Postgres does. */
    clickhouseUrl: values.CLICKHOUSE_URL,
    /** Bytes of scans that may wait in Redis for ClickHouse. */
    scanStreamMaxBytes: values.SCAN_STREAM_MAX_BYTES,
    /** Gateway processes on the one port. With more than one, what follows holds for each of them. */
    gateways,
    /** Connections to Postgres that each gateway process holds for queries. */
    databaseConnections: databaseConnectionsOf(gateways),
    /** An absolute path. */
    dataDir: resolve(values.DATA_DIR),
    diskFreeMinBytes: values.DISK_FREE_MIN_BYTES,
    adminToken: values.ADMIN_TOKEN,
    /** Whether a new embedded database gets an account and a key. */
    demoAccount: values.DEMO_ACCOUNT,
    logLevel: values.LOG_LEVEL,
    accessLog: values.ACCESS_LOG,
    /** Whether `/metrics` needs no admin token. */
    metricsPublic: values.METRICS_PUBLIC,
    /** An absolute path of a MaxMind database; `null`: addresses have no country. */
    geoipFile: values.GEOIP_FILE === null ? null : resolve(values.GEOIP_FILE),
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS ?? (isBalanced(values) ? BALANCED_GRACE_MS : 0),
    /** Where spans go, and which; `null`: no spans are recorded. */
    tracing: tracingOf(values),
    ...accountsOf(values),
    ...workOf(values, values.RENDER_THREADS ?? renderThreadsOf(availableParallelism(), gateways)),
  });
};

/** Settings of a gateway. */
export type Config = ReturnType<typeof readConfig>;
