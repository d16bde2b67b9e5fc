/** Copies the scans that Postgres has into ClickHouse. */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import {
  type MovedMonth,
  movedMonths,
  moveSlice,
  noteScansMoved,
  type Slice,
} from '../../db/tables/scans/moves.ts';
import type { ClickHouse } from '../client.ts';
import { toRow } from './insert.ts';
import { toNumber } from './single.ts';

const SLICE_MAX = 5000;
/** For so long ClickHouse knows a block, also when gateways insert sixteen a second: it knows 10,000. */
const KNOWN_MS = 600_000;

/** Whether a slice that was tried is there. A block is inserted whole or not. */
const isThere = async (clickhouse: ClickHouse, { rows }: Slice): Promise<boolean> => {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const [row] = await clickhouse.read<{ n: number }>(
    `select count() as n from scans
    where account_id >= {first:UUID} and account_id <= {last:UUID} and toString(id) in {ids:Array(String)}`,
    { first: first.accountId, last: last.accountId, ids: rows.map(({ id }) => toNumber(id)) },
  );
  return row!.n > 0;
};

const copySlice = async (clickhouse: ClickHouse, slice: Slice): Promise<void> => {
  const { rows, token, triedBeforeMs } = slice;
  if (rows.length === 0) return;
  // Within that time the token tells, also the tables that are filled from the scans.
  if (triedBeforeMs !== null && triedBeforeMs > KNOWN_MS && (await isThere(clickhouse, slice))) return;
  await clickhouse.insert(
    'scans',
    rows.map(({ accountId, ...scan }) => toRow(scan, accountId)),
    token,
  );
};

/** What both stores have of a month. */
export interface ComparedMonth extends MovedMonth {
  /** Scans that ClickHouse has of it. */
  readonly inClickHouse: number;
  /** The same, counted in its counts of accounts. */
  readonly counted: number;
}

/** Compares the stores, month by month. ClickHouse may have more: those that came later. */
export const compareMonths = async (
  clickhouse: ClickHouse,
  sql: postgres.Sql,
): Promise<readonly ComparedMonth[]> => {
  const months = await movedMonths(sql);
  const count = async (query: string) => {
    const rows = await clickhouse.read<{ month: string; n: number }>(query);
    return new Map(rows.map(({ month, n }) => [month, n]));
  };
  const scans = await count('select toStartOfMonth(at) as month, count() as n from scans group by month');
  const counted = await count(
    'select toStartOfMonth(quarter) as month, sum(people + bots + previews) as n from scan_account_series group by month',
  );
  return months.map((month) => ({
    ...month,
    inClickHouse: scans.get(month.month) ?? 0,
    counted: counted.get(month.month) ?? 0,
  }));
};

/** Whether ClickHouse has all that Postgres has of a month, and counts all that it has. Counts also keep purged scans. */
export const agrees = ({ scans, isDone, inClickHouse, counted }: ComparedMonth): boolean =>
  isDone && inClickHouse >= scans && counted >= inClickHouse;

/**
 * Copies what is missing, oldest month first, in slices. It may be killed at any time, and goes on where it was. When both
 * stores agree it notes that no scan is missing.
 *
 * @param perSecond The most scans that it copies in a second.
 * @param tell Gets what was copied in all of a month, after each slice.
 */
export const moveScans = async (
  clickhouse: ClickHouse,
  sql: postgres.Sql,
  perSecond: number,
  tell: (month: MovedMonth) => void,
): Promise<readonly ComparedMonth[]> => {
  for (const month of await movedMonths(sql)) {
    let { moved } = month;
    for (;;) {
      const startedMs = performance.now();
      const copied = await moveSlice(sql, month.month, SLICE_MAX, (slice) => copySlice(clickhouse, slice));
      if (copied === 0) break;
      moved += copied;
      tell({ ...month, moved });
      await sleep(Math.max(0, (copied / perSecond) * 1000 - (performance.now() - startedMs)));
    }
  }
  const compared = await compareMonths(clickhouse, sql);
  if (compared.every(agrees)) await noteScansMoved(sql);
  return compared;
};
