/** Where single scans and their counts are kept. The totals of links are in Postgres in any case. */
import type { Sql } from '../../client.ts';
import type { Page, PageRequest } from '../../cursor.ts';
import type { Database } from '../../database.ts';
import { type Breakdowns, type BrokenDown, scanBreakdowns } from './breakdowns.ts';
import { type BusyLink, busiestLinks, type LinkCounts, scansByLink } from './by-link.ts';
import { removeGoneScans } from './gone.ts';
import { listRawScans, type RawScan, type RawScansFilter } from './raw.ts';
import { countScansOf, SCANNED_MAX, type Scanned, type Span } from './scanned.ts';
import { insertScans, type ScanRow } from './scans.ts';
import {
  type Buckets,
  countRecentScans,
  type HourOfWeek,
  type OfAccount,
  type RecentScans,
  type SeriesPoint,
  scanHours,
  scanSeries,
  scansKeptSince,
} from './series.ts';
import { keepScans } from './upkeep.ts';

/**
 * Writes and reads scans. What reads gets the connection or transaction of its call, in which Postgres is asked: for the
 * scans themselves or, when another store has them, only for what else the answer needs.
 */
export interface ScanStore {
  /** What one call may read. */
  readonly max: { readonly links: number; readonly scans: number };
  /** Whether all links of an account can be counted, however many there are. */
  readonly countsAccounts: boolean;
  /**
   * Inserts scans and counts them in the totals of their links, or throws. The same rows may be inserted again, whole or
   * those that are left, and count once.
   *
   * @param counting Runs the statement that counts them in the totals.
   */
  insert(rows: readonly ScanRow[], counting: <T>(count: () => Promise<T>) => Promise<T>): Promise<unknown>;
  /** Returns every bucket of a span from `bucketSpan`, in order, the empty ones included. */
  series(sql: Sql, query: Buckets & Scanned): Promise<readonly SeriesPoint[]>;
  /** Returns the scans by the hours of the week in a time zone, in order, without those that have none. */
  hours(sql: Sql, query: Span & Scanned & Pick<Buckets, 'timeZone'>): Promise<readonly HourOfWeek[]>;
  breakdowns(sql: Sql, query: Span & BrokenDown): Promise<Breakdowns>;
  /** Returns the scans of links in a span by their first slugs, without the links that have none. */
  byLink(sql: Sql, query: Span & Scanned): Promise<ReadonlyMap<string, LinkCounts>>;
  /** Returns the links outside the bin with the most scans by people in a span, the first of which has most. */
  busiest(sql: Sql, query: Span & Scanned, limit: number): Promise<readonly BusyLink[]>;
  /** Returns how many scans of an account a report by rule would read. */
  countOf(sql: Sql, accountId: string, span: Span): Promise<number>;
  /** @see countRecentScans */
  recent(sql: Sql, of: OfAccount, span: Span, signal?: AbortSignal): Promise<RecentScans>;
  /** @see listRawScans */
  list(filter: RawScansFilter, page: PageRequest): Promise<Page<RawScan>>;
  /** Returns the time since which no scan is missing; `null`: none is. */
  keptSince(sql: Sql): Promise<Date | null>;
  /** Drops the months whose last scan is older, and prepares those to come. */
  keep(now: Date, retentionMonths: number): Promise<void>;
  /** Removes scans of purged codes and deleted items. Returns whether nothing is left to remove. */
  removeGone(now: Date): Promise<boolean>;
  close(): Promise<void>;
}

/** Single scans and their counts beside the totals of links, in the database of everything else. */
export const createPostgresScans = (database: Pick<Database, 'sql' | 'embedded'>): ScanStore => ({
  max: SCANNED_MAX[database.embedded ? 'embedded' : 'server'],
  countsAccounts: false,
  insert: (rows, counting) => counting(() => insertScans(database.sql, rows)),
  series: scanSeries,
  hours: scanHours,
  breakdowns: scanBreakdowns,
  byLink: scansByLink,
  busiest: busiestLinks,
  countOf: countScansOf,
  recent: countRecentScans,
  list: (filter, page) => listRawScans(database, filter, page),
  keptSince: scansKeptSince,
  keep: (now, retentionMonths) => keepScans(database.sql, now, retentionMonths),
  removeGone: (now) => removeGoneScans(database.sql, now),
  close: async () => {},
});
