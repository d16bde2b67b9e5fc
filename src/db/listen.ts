import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import { countLoopFailure } from '../execution/loops.ts';
import { waitAtMost } from '../execution/time-limits.ts';
import type { Log } from '../log.ts';
import { type Change, type Changes, createListeners } from './changes.ts';
import type { Hooks } from './client.ts';
import { whenCommitted } from './pool.ts';

/** Two heartbeats may be missed before the connection counts as silent. */
const SILENT_AFTER_MS = 2500;

/** Returns the name of a channel that only this process uses. */
const newBeatChannel = (): string => `tessera_beat_${randomBytes(8).toString('hex')}`;

/** Whether a connection hears what is sent through a pool, within the time after which gateways give it up. */
export const hears = async (
  connect: (hooks: Hooks) => postgres.Sql,
  pool: postgres.Sql,
): Promise<boolean> => {
  const channel = newBeatChannel();
  let isHeard = false;
  let hear = () => {};
  const heard = new Promise<void>((resolve) => {
    hear = resolve;
  });
  const sql = connect({
    onnotify: () => {
      isHeard = true;
      hear();
    },
  });
  try {
    await sql.unsafe(`listen ${channel}`);
    await pool`select pg_notify(${channel}, '')`;
    await waitAtMost(heard, SILENT_AFTER_MS);
    return isHeard;
  } finally {
    await sql.end({ timeout: 0 });
  }
};

/** Whether a pooler stands in between: it tells its clients other process ids than those of the server. */
const isPooler = async (sql: postgres.Sql): Promise<boolean> => {
  const answer = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const { pid } = answer.state as unknown as { readonly pid: number };
  return answer[0].pid !== pid;
};

/**
 * Must be called where sessions are relied on. A pooler that ignores their settings would be used without time limits,
 * and lose notifications and prepared statements.
 *
 * @throws {Error} `POOLER`, when the connections of the pool lead through one.
 */
export const refusePooler = async (sql: postgres.Sql): Promise<void> => {
  if (await isPooler(sql)) throw Object.assign(new Error('it does not keep sessions'), { code: 'POOLER' });
};

const CHANNEL = 'tessera_changes';
/** A notification has fewer than 8000 bytes. */
const PAYLOAD_BYTES_MAX = 7900;
const BEAT_INTERVAL_MS = 1000;

/** Returns changes as JSON arrays that fit into notifications. Every gateway receives each notification by itself. */
const toPayloads = (changes: readonly Change[]): readonly string[] => {
  const payloads: string[] = [];
  let [texts, bytes]: [string[], number] = [[], 0];
  for (const change of changes) {
    const text = JSON.stringify(change);
    const textBytes = Buffer.byteLength(text) + 1;
    if (texts.length > 0 && bytes + textBytes >= PAYLOAD_BYTES_MAX) {
      payloads.push(`[${texts.join()}]`);
      [texts, bytes] = [[], 0];
    }
    texts.push(text);
    bytes += textBytes;
  }
  return texts.length === 0 ? payloads : [...payloads, `[${texts.join()}]`];
};

interface Connection {
  readonly sql: postgres.Sql;
  isOpen: boolean;
  /** When it was opened, or last answered. */
  answeredMs: number;
  /** When the last heartbeat was sent that it heard. */
  heardMs: number;
  /** The first heartbeat that the database took and that it has not heard, nor a later one; `null`: there is none. */
  owed: { readonly sentMs: number; readonly takenMs: number } | null;
}

/**
 * Creates `Changes` based on NOTIFY and LISTEN. Each second a heartbeat is sent the way that changes go, with the time
 * of its sending, to a channel of this process. When the listening connection closes, falls silent or does not hear a
 * heartbeat, it is replaced, and listeners are told to drop everything. A heartbeat that cannot be sent proves nothing.
 * Resolves after the first attempt to connect, whether it succeeded or not.
 *
 * @param connect Opens the listening connection.
 * @param send Notifies a channel, like `announce`.
 */
export const listenForChanges = async (
  connect: (hooks: Hooks) => postgres.Sql,
  send: (channel: string, payload: string) => Promise<unknown>,
  log: Log,
): Promise<Changes> => {
  const { subscribe, tell } = createListeners(log);
  const beats = newBeatChannel();
  let state: 'starting' | 'live' | 'lost' | 'closed' = 'starting';
  let timer: NodeJS.Timeout | undefined;
  let hearFirst = () => {};
  const heardFirst = new Promise<void>((resolve) => {
    hearFirst = resolve;
  });

  const hearBeat = (self: Connection, sentMs: number) => {
    self.heardMs = Math.max(self.heardMs, sentMs);
    if (self.owed !== null && sentMs >= self.owed.sentMs) self.owed = null;
    if (state === 'live') return;
    state = 'live';
    log.info({}, 'listening for changes');
    tell({ kind: 'everything' });
    hearFirst();
  };

  const lose = (err: unknown) => {
    if (state === 'closed' || state === 'lost') return;
    state = 'lost';
    log.warn({ err }, 'not listening for changes; will reconnect');
  };

  const open = (): Connection => {
    const self: Connection = {
      answeredMs: performance.now(),
      heardMs: Number.NEGATIVE_INFINITY,
      owed: null,
      isOpen: true,
      sql: connect({
        onnotify: (channel, payload) => {
          // A notification may arrive while the connection is being closed.
          if (self !== connection || state === 'closed') return;
          if (channel === beats) hearBeat(self, Number(payload));
          else (JSON.parse(payload) as Change[]).forEach(tell);
        },
        onclose: () => {
          self.isOpen = false;
          if (self === connection) lose(new Error('the connection was closed'));
        },
      }),
    };
    return self;
  };
  let connection = open();

  const replace = () => {
    void connection.sql.end({ timeout: 0 });
    connection = open();
  };

  /** Repeating LISTEN on the same connection is a no-op, and shows that the server answers. */
  const listen = async (self: Connection): Promise<void> => {
    try {
      await self.sql.unsafe(`listen ${CHANNEL}; listen ${beats}`);
      self.answeredMs = performance.now();
    } catch (error) {
      countLoopFailure('changes');
      self.isOpen = false;
      if (self === connection) lose(error);
    }
  };

  const sendBeat = async (self: Connection): Promise<void> => {
    const sentMs = performance.now();
    try {
      await send(beats, String(sentMs));
    } catch {
      return;
    }
    if (self.heardMs < sentMs) self.owed ??= { sentMs, takenMs: performance.now() };
  };

  const faultOf = ({ answeredMs, owed }: Connection): string | null => {
    const nowMs = performance.now();
    if (nowMs - answeredMs > SILENT_AFTER_MS) return `the connection was silent for ${SILENT_AFTER_MS} ms`;
    if (owed === null || nowMs - owed.takenMs <= SILENT_AFTER_MS) return null;
    return 'it does not hear what is sent through DATABASE_URL: LISTEN_DATABASE_URL must name the same database, and no pooler in transaction mode';
  };

  const beat = async () => {
    if (!connection.isOpen) replace();
    await waitAtMost(listen(connection), BEAT_INTERVAL_MS);
    if (state === 'closed') return;
    void sendBeat(connection);
    const fault = faultOf(connection);
    if (fault !== null) {
      countLoopFailure('changes');
      lose(new Error(fault));
      replace();
    }
    timer = setTimeout(() => void beat(), BEAT_INTERVAL_MS);
  };
  await beat();
  await waitAtMost(heardFirst, BEAT_INTERVAL_MS);

  return {
    get live() {
      return state === 'live';
    },
    subscribe,
    async announce(sql, ...changes) {
      const payloads = toPayloads(changes) as string[];
      await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`;
      whenCommitted(sql, () => changes.forEach(tell));
    },
    async close() {
      state = 'closed';
      clearTimeout(timer);
      await connection.sql.end({ timeout: 0 });
    },
  };
};
