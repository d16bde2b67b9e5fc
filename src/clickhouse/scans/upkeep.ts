/** What removes scans from ClickHouse. */
import type postgres from 'postgres';
import { noteScansDropped } from '../../db/tables/scans/elsewhere.ts';
import { type Gone, removeGoneScans } from '../../db/tables/scans/gone.ts';
import { forgetGroups } from '../../db/tables/scans/totals.ts';
import { keepScans } from '../../db/tables/scans/upkeep.ts';
import type { ClickHouse } from '../client.ts';

const TABLES = ['scans', 'scan_account_series', 'scan_account_visitors'];

/** The first month that is kept, as the first moment of it. */
const firstKept = (now: Date, retentionMonths: number): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - retentionMonths, 1));

/**
 * Drops each month of scans and counts whose last scan is older than `retentionMonths`, as `keepScans` does in Postgres,
 * where scans may be left, and forgets groups that nobody tries any more.
 */
export const keepInClickHouse = async (
  clickhouse: ClickHouse,
  sql: postgres.Sql,
  now: Date,
  retentionMonths: number,
): Promise<void> => {
  await keepScans(sql, now, retentionMonths);
  await forgetGroups(sql, now);
  const kept = firstKept(now, retentionMonths);
  const first = kept.toISOString().slice(0, 'YYYY-MM'.length).replace('-', '');
  const old = await clickhouse.read<{ table: string; partition: string }>(
    `select distinct table, partition from system.parts
    where database = currentDatabase() and table in {tables:Array(String)} and active and partition < {first:String}`,
    { tables: TABLES, first },
  );
  for (const { table, partition } of old)
    await clickhouse.run(`alter table ${table} drop partition '${partition}'`);
  if (old.length > 0) await noteScansDropped(sql, kept);
};

/** Removes scans of purged codes and deleted items. The counts of accounts keep them. */
export const removeGoneFrom = (clickhouse: ClickHouse, sql: postgres.Sql, now: Date): Promise<boolean> =>
  removeGoneScans(sql, now, undefined, ({ accountId: account, slugs }: Gone) =>
    clickhouse.run('delete from scans where account_id = {account:UUID} and slug in {slugs:Array(String)}', {
      account,
      slugs,
    }),
  );
