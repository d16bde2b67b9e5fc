/** Looks at an installation from the machine of a gateway. It changes nothing. */
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import type { Inspected } from '../db/inspect.ts';
import type { QuotaRedis } from '../quota/redis/scripts.ts';
import { ok, type Result, refused } from '../result.ts';
import { checkClickHouse } from './checks/clickhouse.ts';
import { checkFiles } from './checks/files.ts';
import { checkDrain, judgeLedger, type Verdict, verifyLedger } from './checks/ledger.ts';
import { checkClocks, checkDisk, checkNode } from './checks/machine.ts';
import {
  checkBatches,
  checkConnections,
  checkLinks,
  checkNews,
  checkPostgres,
  checkSchema,
  checkWebhooks,
} from './checks/postgres.ts';
import { checkMemory, checkPersistence, checkRedis, readInfos } from './checks/redis.ts';
import { checkReplica } from './checks/replica.ts';
import { checkSettings } from './checks/settings.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';
import { withStores } from './stores.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Findings = readonly Finding[];

/** Runs checks one after the other, because the database answers one query at a time. */
const runInTurn = async (
  checks: readonly (readonly [Check, () => Promise<Findings>])[],
): Promise<Findings> => {
  const findings: Finding[] = [];
  for (const [check, run] of checks) {
    try {
      findings.push(...(await run()));
    } catch (error) {
      const reason = (error as Error).message.replace(/\.$/, '');
      findings.push(findingsOf(check).fail(`This could not be checked: ${reason}.`));
    }
  }
  return findings;
};

const lookAtRedis = async (redis: QuotaRedis): Promise<Findings> => {
  const infos = await readInfos(redis);
  return [checkRedis, checkMemory, checkPersistence].flatMap((check) => infos.flatMap((info) => check(info)));
};

/** Accounts whose balances are compared unless all are asked for: some seconds. */
const SAMPLED_ACCOUNTS = 20_000;

const lookAtStores = (config: Config, isAll: boolean): Promise<Findings> =>
  withStores(config, (opened, connected) => {
    const database = opened.ok ? opened.value : null;
    const redis = connected?.ok ? connected.value : null;
    const onDatabase = (run: (database: Inspected) => Promise<Findings>) => async () =>
      database === null ? [] : run(database);
    return runInTurn([
      ['postgres', async () => (opened.ok ? checkPostgres(opened.value) : [opened.fault])],
      ['schema', onDatabase(checkSchema)],
      ['news', onDatabase(checkNews)],
      ['replica', onDatabase((one) => checkReplica(one, config))],
      ['clickhouse', () => checkClickHouse(database, config.clickhouseUrl)],
      ['connections', onDatabase((one) => checkConnections(one, config))],
      ['redis', async () => (redis === null ? [] : lookAtRedis(redis))],
      ['redis', async () => (connected?.ok === false ? [connected.fault] : [])],
      ['clocks', () => checkClocks(database, redis)],
      ['disk', () => checkDisk(config)],
      ['drain', onDatabase((one) => checkDrain(one, redis))],
      [
        'ledger',
        onDatabase(async (one) =>
          judgeLedger(await verifyLedger(one, redis, isAll ? 'all' : { sampled: SAMPLED_ACCOUNTS })),
        ),
      ],
      ['batches', onDatabase(checkBatches)],
      ['files', onDatabase((one) => checkFiles(one, config))],
      ['links', onDatabase((one) => checkLinks(one, { isAll }))],
      ['webhooks', onDatabase(checkWebhooks)],
    ]);
  });

/** The secrets of a configuration, as texts that no message may have. */
const secretsOf = ({
  adminToken,
  databaseUrl,
  listenDatabaseUrl,
  readDatabaseUrl,
  redisUrl,
  clickhouseUrl,
}: Config): readonly string[] =>
  [
    adminToken,
    ...[databaseUrl, listenDatabaseUrl, readDatabaseUrl, redisUrl, clickhouseUrl].map(
      (url) => /:\/\/[^@/]*?:([^@]+)@/.exec(url ?? '')?.[1],
    ),
  ].filter((secret) => typeof secret === 'string' && secret.length >= 4) as string[];

const withoutSecrets = (findings: Findings, config: Config): Findings =>
  findings.map((finding) => ({
    ...finding,
    message: secretsOf(config).reduce((text, secret) => text.replaceAll(secret, '…'), finding.message),
  }));

/**
 * Examines the installation that an environment describes, and returns what it found, check by check. It reads only,
 * never throws for a fault of the installation, and never reveals a secret.
 *
 * @param isAll Whether all balances and links are looked at, and not samples of them.
 */
export const examine = async (env: Environment, isAll = false): Promise<Findings> => {
  const node = checkNode(process.versions.node);
  try {
    const config = readConfig(env);
    return withoutSecrets([...checkSettings(config), node, ...(await lookAtStores(config, isAll))], config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.faults.map(findingsOf('settings').fail), node];
  }
};

/**
 * Compares the balances of the installation that an environment describes, or of one account, with their records and
 * with Redis. It changes nothing. The fault says why it cannot be done.
 *
 * @throws {ConfigError} When the environment has faults.
 */
export const verify = (env: Environment, accountId: string | null): Promise<Result<Verdict, string>> =>
  withStores(readConfig(env), async (database, redis) => {
    if (!database.ok) return refused(database.fault.message);
    if (redis?.ok === false) return refused(redis.fault.message);
    const compared = accountId === null ? 'all' : { accountId };
    return ok(await verifyLedger(database.value, redis?.value ?? null, compared));
  });
