/** What a check has found: one sentence on what is and, unless all is well, what to do. */
export interface Finding {
  readonly check: Check;
  /** `warn`: it works, but not as it should, or not for long. `fail`: it does not work, or data are wrong. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
}

/** The checks in the order in which they run, with what each examines. Documented in docs/cli.md. */
export const CHECKS = {
  settings:
    'the environment: faults, odd values, addresses that only this machine reaches, weak or missing secrets',
  node: 'the version of Node.js',
  postgres:
    'whether the database answers, its version, whether it takes writes and keeps them through a power cut',
  schema: 'migrations that are missing, unknown or changed; indexes that are not valid',
  news: 'whether gateways hear of changes: `LISTEN_DATABASE_URL`, and poolers in between',
  replica: 'whether `DATABASE_READ_URL` is a standby of the database, and how far it is behind',
  clickhouse:
    'whether ClickHouse answers, its version and its tables; that `CLICKHOUSE_URL` is set where scans are there',
  connections: 'connections that Postgres allows, that are in use, and that `GATEWAYS` needs',
  redis: 'whether Redis answers, its version, and that a lost node of a Cluster stops only its own accounts',
  memory: 'the memory of Redis and its `maxmemory-policy`',
  persistence: 'whether Redis keeps an append-only file and can write it',
  clocks: 'the clocks of this machine, Postgres and Redis',
  disk: 'room on the disks of the embedded database and of `BATCH_STORE`',
  drain: 'changes on their way from Redis to Postgres, reservations, credits and holds that wait',
  ledger:
    'balances against the sums of their records and against Redis, as `ledger verify`: all of 20,000 accounts, a sample of more',
  batches: 'batches that should have ended',
  files:
    'whether `BATCH_STORE` is the store of all gateways; files of batches without rows, and rows without files: the newest 1,000 batches, 20 pieces of each',
  links: 'short links without a code, in a sample of about 100,000',
  webhooks: 'deliveries that should have been sent',
} as const;

/** The name of a check. */
export type Check = keyof typeof CHECKS;

/** Makes the findings of a check. */
export const findingsOf = (check: Check) => ({
  ok: (message: string): Finding => ({ check, state: 'ok', message }),
  warn: (message: string): Finding => ({ check, state: 'warn', message }),
  fail: (message: string): Finding => ({ check, state: 'fail', message }),
});

/** Returns the faults, or that all is well when there are none. */
export const faultsOr = (faults: readonly (Finding | false | null)[], well: Finding): readonly Finding[] => {
  const found = faults.filter((fault) => fault !== null && fault !== false);
  return found.length > 0 ? found : [well];
};

/** Writes bytes in a readable form. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
};
