/** A streaming replica, which answers reads that the primary cannot answer. */
import type postgres from 'postgres';
import type { Log } from '../log.ts';
import { connectServer, type ServerBounds } from './client.ts';
import { databaseFault, explainServerFault, isUnavailable } from './faults.ts';
import { readMigrations } from './migrations/files.ts';
import { requireCurrent } from './migrations/schema.ts';
import { createPool, type PoolBounds } from './pool.ts';

const LOOK_EVERY_MS = 1000;

/** Which database this is: its cluster and its name. */
const identity = (sql: postgres.ISql) =>
  sql`(select system_identifier from pg_control_system())::text || '/' || current_database()`;

/** What a server says of itself as a replica. */
export interface ReplicaState {
  readonly identity: string;
  readonly isStandby: boolean;
  /**
   * For how long the replica has lacked something that the primary has written; `null`: how far the primary had come is
   * not known.
   */
  readonly lagSeconds: number | null;
}

/** Returns which database this is, and how far it has written. @param sql The primary. */
export const readPrimary = async (sql: postgres.ISql): Promise<{ identity: string; lsn: string | null }> => {
  const [row] = await sql<[{ identity: string; lsn: string | null }]>`
    select ${identity(sql)} as identity,
      (case when not pg_is_in_recovery() then pg_current_wal_lsn() end)::text as lsn`;
  return row;
};

/** @param lsn How far the primary had written; `null`: unknown. */
export const readReplica = async (sql: postgres.ISql, lsn: string | null): Promise<ReplicaState> => {
  const [row] = await sql<[ReplicaState]>`
    select ${identity(sql)} as identity, pg_is_in_recovery() as is_standby,
      case
        when ${lsn}::pg_lsn is null then null
        when not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn then 0
        else greatest(0, extract(epoch from
          clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())))
      end::float8 as lag_seconds`;
  return row;
};

/** A replica that is looked at each second. */
export type Replica = ReturnType<typeof openReplica>;

/** Opens a replica, at the latest with the first read. @param url That of one server, not of a pooler. */
export const openReplica = (url: string, bounds: ServerBounds & PoolBounds, log: Log) => {
  const pool = createPool((hooks) => connectServer(url, { ...bounds, readOnly: true }, hooks), bounds);
  const { sql } = pool;
  /** As far as it was seen; the last is kept while the primary is away. */
  let primary: Awaited<ReturnType<typeof readPrimary>> | null = null;
  let lagSeconds: number | null = null;
  let state: 'unknown' | 'good' | 'away' | 'foreign' = 'unknown';
  let reads = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const turn = (now: typeof state, err?: unknown): void => {
    if (now === state || isClosed) return;
    if (now === 'foreign')
      log.error({}, 'DATABASE_READ_URL is not a replica of DATABASE_URL; nothing is read there');
    else if (now === 'away') log.warn({ err }, 'the replica does not answer; will retry');
    else log.info({}, 'the replica answers');
    state = now;
  };

  const look = async (ofPrimary: postgres.Sql): Promise<void> => {
    primary = await readPrimary(ofPrimary).catch(() => primary);
    try {
      const replica = await readReplica(sql, primary?.lsn ?? null);
      lagSeconds = replica.lagSeconds;
      turn(primary !== null && primary.identity !== replica.identity ? 'foreign' : 'good');
    } catch (error) {
      lagSeconds = null;
      if (state !== 'foreign') turn('away', error);
    }
  };

  const read = <T>(run: (sql: postgres.Sql) => Promise<T>): Promise<T> => {
    if (state === 'foreign')
      throw databaseFault('DATABASE_UNAVAILABLE', 'DATABASE_READ_URL is not a replica of DATABASE_URL');
    reads += 1;
    return run(sql);
  };

  return {
    /** Runs a read, whose answer may be behind. @throws When it is known to be no replica of the primary. */
    read: async <T>(run: (sql: postgres.Sql) => Promise<T>): Promise<T> => read(run),
    /** @throws {Error} When it cannot stand in for the primary. The message is one line for the operator. */
    async requireCurrent(): Promise<void> {
      await requireCurrent(sql, await readMigrations()).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        const { host, port, database, user } = connectServer(url, bounds).options;
        const fault = explainServerFault(error, { host, port, database, user });
        throw new Error(fault.replaceAll('DATABASE_URL', 'DATABASE_READ_URL'), { cause: error });
      });
    },
    /** Begins to look how far it is behind. */
    watch(ofPrimary: postgres.Sql): void {
      const next = () =>
        void look(ofPrimary).finally(() => {
          if (!isClosed) timer = setTimeout(next, LOOK_EVERY_MS).unref();
        });
      next();
    },
    stats: () => ({ lagSeconds, reads }),
    async ping(): Promise<void> {
      await sql`select 1`;
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await pool.close();
    },
  };
};
