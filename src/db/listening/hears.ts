import { randomBytes } from 'node:crypto';
import type postgres from 'postgres';
import { waitAtMost } from '../../time-limit.ts';
import type { Hooks } from '../client.ts';

/** Two heartbeats may be missed before the connection counts as silent. */
export const SILENT_AFTER_MS = 2500;

/** Returns the name of a channel that only this process uses. */
export const newBeatChannel = (): string => `tessera_beat_${randomBytes(8).toString('hex')}`;

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
