import type { Database } from '../../src/db/database.ts';
import { endedChildrenMs, treeCpuMs } from '../cpu.ts';

/** What some work costs Postgres. */
export interface Cost {
  readonly seconds: number;
  readonly processorS: number;
  readonly walBytes: number;
}

const walBytes = async (sql: Database['sql']): Promise<number> => {
  const [row] = await sql<[{ bytes: number }]>`select (pg_current_wal_insert_lsn() - '0/0')::float as bytes`;
  return row.bytes;
};

const processorMs = (pid: number): number => treeCpuMs(pid) + endedChildrenMs(pid);

/** Does the work and returns what it costs the server whose first process is `pid`. */
export const costOf = async (
  sql: Database['sql'],
  pid: number,
  work: () => Promise<unknown>,
): Promise<Cost> => {
  const before = { wal: await walBytes(sql), cpuMs: processorMs(pid), atMs: performance.now() };
  await work();
  return {
    seconds: (performance.now() - before.atMs) / 1000,
    processorS: (processorMs(pid) - before.cpuMs) / 1000,
    walBytes: (await walBytes(sql)) - before.wal,
  };
};
