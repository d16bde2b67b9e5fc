/** Scans on their way into ClickHouse. */

import type { Sql } from '../../db/client.ts';
import type { ScanRow } from '../../db/tables/scans/scans.ts';
import type { ScanStore } from '../../db/tables/scans/store.ts';
import { countScans } from '../../db/tables/scans/totals.ts';
import type { ClickHouse } from '../client.ts';
import { toNumber } from './single.ts';

/** A scan of an account as a row of the table. */
export const toRow = (
  { id, at, slug, kind, visitor, device, os, browser, country, referrerHost, rule }: ScanRow,
  account: string,
) => ({
  ...{ account_id: account, slug, at: (at.getTime() / 1000).toFixed(3), id: toNumber(id), kind },
  ...{ visitor: BigInt(`0x${visitor}`).toString(), device, os, browser, country },
  ...{ referrer_host: referrerHost, rule },
});

/**
 * Makes a function that counts a group of scans in Postgres, inserts it, and may be called again with the same group, one
 * group after the other. The totals come first, because Postgres knows whose the links are, and whether it accepts them.
 */
export const createInsert = (clickhouse: ClickHouse, sql: Sql): ScanStore['insert'] => {
  /** The last group that was counted, so that a retry after ClickHouse was away does not count visits as written again. */
  let counted: { readonly group: string; readonly owners: ReadonlyMap<string, string> } | null = null;

  return async (rows, counting) => {
    const [first] = rows;
    if (first === undefined) return;
    const group = first.id;
    if (counted?.group !== group)
      counted = { group, owners: await counting(() => countScans(sql, group, rows)) };
    const { owners } = counted;
    const owned = rows.flatMap((row) => {
      const account = owners.get(row.slug);
      return account === undefined ? [] : [toRow(row, account)];
    });
    if (owned.length > 0) await clickhouse.insert('scans', owned, group);
  };
};
