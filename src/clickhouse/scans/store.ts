/** Single scans in ClickHouse; the totals of links stay in Postgres. */
import type { Database } from '../../db/database.ts';
import { countRecentScans, scansKeptSince } from '../../db/tables/scans/series.ts';
import type { ScanStore } from '../../db/tables/scans/store.ts';
import type { ClickHouse } from '../client.ts';
import { readBreakdowns } from './breakdowns.ts';
import { countOf, readBusiest, readByLink, readHours, readSeries } from './counts.ts';
import { createInsert } from './insert.ts';
import { createRecentStep } from './recent.ts';
import { listScans } from './single.ts';
import { keepInClickHouse, removeGoneFrom } from './upkeep.ts';

/** What one call may read: the slugs of a query, and the scans of an account that one by rule looks through. */
const MAX = { links: 100_000, scans: 100_000_000 };

/** The scans in ClickHouse, whose tables must exist. */
export const createClickHouseScans = (clickhouse: ClickHouse, { sql }: Pick<Database, 'sql'>): ScanStore => {
  const readStep = createRecentStep(clickhouse);
  return {
    max: MAX,
    countsAccounts: true,
    insert: createInsert(clickhouse, sql),
    series: (tx, query) => readSeries(clickhouse, tx, query),
    hours: (tx, query) => readHours(clickhouse, tx, query),
    breakdowns: (tx, query) => readBreakdowns(clickhouse, tx, query),
    byLink: (tx, query) => readByLink(clickhouse, tx, query),
    busiest: (tx, query, limit) => readBusiest(clickhouse, tx, query, limit),
    countOf: (_, accountId, span) => countOf(clickhouse, accountId, span),
    recent: (tx, of, span, signal) => countRecentScans(tx, of, span, signal, readStep),
    list: (filter, page) => listScans(clickhouse, sql, filter, page),
    keptSince: scansKeptSince,
    keep: (now, retentionMonths) => keepInClickHouse(clickhouse, sql, now, retentionMonths),
    removeGone: (now) => removeGoneFrom(clickhouse, sql, now),
    close: () => clickhouse.close(),
  };
};
