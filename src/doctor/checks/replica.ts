/** The streaming replica, which has the links of redirects while the primary is away. */
import type { Config } from '../../config/config.ts';
import { isPoolerFault } from '../../db/faults.ts';
import { type Inspected, inspectDatabase } from '../../db/inspect.ts';
import { type ReplicaState, readPrimary, readReplica } from '../../db/replica.ts';
import { type Finding, findingsOf } from '../finding.ts';

const { ok, warn, fail } = findingsOf('replica');

const LAG_MAX_S = 60;

/** Judges a replica. @param primary The identity of its primary. */
export const judgeReplica = (primary: string, { identity, isStandby, lagSeconds }: ReplicaState): Finding => {
  if (identity !== primary)
    return fail(
      'DATABASE_READ_URL is of another cluster or another database than DATABASE_URL, so nothing is read there: let it name a streaming replica.',
    );
  if (!isStandby)
    return fail('DATABASE_READ_URL is no standby but takes writes: let it name a streaming replica.');
  if (lagSeconds === null)
    return warn('How far the replica is behind is not known: DATABASE_URL is a standby.');
  const behind = `The replica is ${Math.round(lagSeconds)} s behind`;
  return lagSeconds > LAG_MAX_S
    ? warn(`${behind}: see pg_stat_replication of the primary, and the log of the replica.`)
    : ok(`${behind}.`);
};

const openReplica = async (url: string, dataDir: string): Promise<Inspected | string> => {
  try {
    return (await inspectDatabase({ url, dataDir }))!;
  } catch (error) {
    const { message, cause } = error as Error;
    if (isPoolerFault(cause)) return 'a pooler answers at DATABASE_READ_URL: let it name the server itself';
    return message.replaceAll('DATABASE_URL', 'DATABASE_READ_URL');
  }
};

/** Checks that `DATABASE_READ_URL` is a standby of the primary, and how far it is behind. */
export const checkReplica = async (
  primary: Inspected,
  { readDatabaseUrl, dataDir }: Pick<Config, 'readDatabaseUrl' | 'dataDir'>,
): Promise<readonly Finding[]> => {
  if (readDatabaseUrl === null) return [ok('DATABASE_READ_URL is not set: there is no replica.')];
  const replica = await openReplica(readDatabaseUrl, dataDir);
  if (typeof replica === 'string') return [fail(`${replica}; without it only links in memory redirect.`)];
  try {
    const { identity, lsn } = await readPrimary(primary.sql);
    return [judgeReplica(identity, await readReplica(replica.sql, lsn))];
  } finally {
    await replica.close();
  }
};
