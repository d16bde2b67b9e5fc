/** Looks at an installation from the machine of a gateway. It changes nothing. */
import { type Config, ConfigError, readConfig } from '../config/config.ts';
import type { Inspected } from '../db/inspect.ts';
import type { QuotaRedis } from '../quota/redis/scripts.ts';
import { checkClocks } from './checks/clocks.ts';
import { checkDisk } from './checks/disk.ts';
import { checkFiles } from './checks/files.ts';
import { checkDrain, judgeLedger, verifyLedger } from './checks/ledger.ts';
import { checkNode } from './checks/node.ts';
import { checkConnections, checkPostgres, checkSchema } from './checks/postgres.ts';
import { checkMemory, checkPersistence, checkRedis, readInfos } from './checks/redis.ts';
import { checkBatches, checkLinks, checkWebhooks } from './checks/rows.ts';
import { checkSettings } from './checks/settings.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';
import { openDatabase, openRedis } from './stores.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Findings = readonly Finding[];

/** What a check that could not be made leaves. */
const orFailed = async (check: Check, run: () => Promise<Findings>): Promise<Findings> => {
  try {
    return await run();
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, '');
    return [findingsOf(check).fail(`This could not be checked: ${reason}.`)];
  }
};

/** Runs checks one after the other, because the database answers one query at a time. */
const inTurn = async (checks: readonly (readonly [Check, () => Promise<Findings>])[]): Promise<Findings> => {
  const findings: Finding[] = [];
  for (const [check, run] of checks) findings.push(...(await orFailed(check, run)));
  return findings;
};

const ofServer = (database: Inspected, config: Config): Promise<Findings> =>
  inTurn([
    ['postgres', () => checkPostgres(database)],
    ['schema', () => checkSchema(database)],
    ['connections', () => checkConnections(database, config)],
  ]);

const ofRedis = (redis: QuotaRedis): Promise<Findings> =>
  orFailed('redis', async () => {
    const infos = await readInfos(redis);
    return [checkRedis, checkMemory, checkPersistence].flatMap((check) =>
      infos.flatMap((info) => check(info)),
    );
  });

const ofRows = (database: Inspected, redis: QuotaRedis | null, config: Config): Promise<Findings> =>
  inTurn([
    ['drain', () => checkDrain(database, redis)],
    ['ledger', async () => judgeLedger(await verifyLedger(database, redis, null))],
    ['batches', () => checkBatches(database)],
    ['files', () => checkFiles(database, config)],
    ['links', () => checkLinks(database)],
    ['webhooks', () => checkWebhooks(database)],
  ]);

const ofStores = async (config: Config): Promise<Findings> => {
  const opened = await openDatabase(config);
  const database = opened.ok ? opened.value : null;
  const connected = config.redisUrl === null ? null : await openRedis(config.redisUrl);
  const redis = connected?.ok ? connected.value : null;
  try {
    return [
      ...(opened.ok ? await ofServer(opened.value, config) : [opened.fault]),
      ...(redis === null ? [] : await ofRedis(redis)),
      ...(connected?.ok === false ? [connected.fault] : []),
      ...(await orFailed('clocks', () => checkClocks(database, redis))),
      ...(await orFailed('disk', () => checkDisk(config))),
      ...(database === null ? [] : await ofRows(database, redis, config)),
    ];
  } finally {
    redis?.disconnect();
    await database?.close();
  }
};

/** The secrets of a configuration, as texts that no message may have. */
const secretsOf = ({ adminToken, databaseUrl, redisUrl }: Config): readonly string[] =>
  [adminToken, ...[databaseUrl, redisUrl].map((url) => /:\/\/[^@/]*?:([^@]+)@/.exec(url ?? '')?.[1])].filter(
    (secret) => typeof secret === 'string' && secret.length >= 4,
  ) as string[];

const withoutSecrets = (findings: Findings, config: Config): Findings =>
  findings.map((finding) => ({
    ...finding,
    message: secretsOf(config).reduce((text, secret) => text.replaceAll(secret, '…'), finding.message),
  }));

/**
 * Examines the installation that an environment describes, and returns what it found, check by check. It reads only,
 * never throws for a fault of the installation, and never tells a secret.
 */
export const examine = async (env: Environment): Promise<Findings> => {
  const node = checkNode(process.versions.node);
  try {
    const config = readConfig(env);
    return withoutSecrets([...checkSettings(config), node, ...(await ofStores(config))], config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...error.faults.map(findingsOf('settings').fail), node];
  }
};
