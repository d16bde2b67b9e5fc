/** Scans on their way from Postgres to another store, by months and slices. */
import type postgres from 'postgres';
import type { Sql } from '../../client.ts';
import type { ScanRow } from './scans.ts';

/** A scan with whose it is. */
export interface OwnedScan extends ScanRow {
  readonly accountId: string;
}

/** How far a month is. */
export interface MovedMonth {
  /** `YYYY-MM-01` */
  readonly month: string;
  /** Scans that Postgres has of it. */
  readonly scans: number;
  readonly moved: number;
  readonly isDone: boolean;
}

/** A slice that is to be copied. */
export interface Slice {
  readonly rows: readonly OwnedScan[];
  /** A name that only tries of this slice have. */
  readonly token: string;
  /** How long ago it was first tried; `null`: this is the first time. */
  readonly triedBeforeMs: number | null;
}

/** Scans of a slug that neither a link nor an item has are nobody's, and stay. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

const isIn = (sql: Sql, month: string) =>
  sql`at >= ${month}::date::timestamp at time zone 'UTC'
    and at < (${month}::date + interval '1 month')::timestamp at time zone 'UTC' and account_id <> ${NOBODY}`;

const positionOf = ({ accountId, at, id }: OwnedScan): string => `${accountId} ${at.getTime()} ${id}`;

const isBeyond = (sql: Sql, position: string | null) => {
  if (position === null) return sql`true`;
  const [account, atMs, id] = position.split(' ') as [string, string, string];
  return sql`(account_id, at, id) > (${account}::uuid, ${new Date(Number(atMs))}::timestamptz, ${id}::uuid)`;
};

const isUpTo = (sql: Sql, position: string) => {
  const [account, atMs, id] = position.split(' ') as [string, string, string];
  return sql`(account_id, at, id) <= (${account}::uuid, ${new Date(Number(atMs))}::timestamptz, ${id}::uuid)`;
};

/** Returns the months of which Postgres has scans, oldest first. It counts them, which takes some seconds for millions. */
export const movedMonths = async (sql: Sql): Promise<readonly MovedMonth[]> => sql<MovedMonth[]>`
  select to_char(found.month, 'YYYY-MM-DD') as month, found.scans::float8 as scans,
    coalesce(m.moved, 0)::float8 as moved, coalesce(m.is_done, false) as is_done
  from (
    select date_trunc('month', at at time zone 'UTC')::date as month, count(*) as scans
    from scans where account_id <> ${NOBODY} group by 1
  ) as found left join scan_moves m using (month) order by 1`;

interface Place {
  readonly after: string | null;
  readonly until: string | null;
  readonly triedMs: number;
}

const lockPlace = async (tx: Sql, month: string): Promise<Place> => {
  const [place] = await tx<[Place]>`
    select after_scan as after, until_scan as until,
      (extract(epoch from clock_timestamp() - slice_at) * 1000)::float8 as tried_ms
    from scan_moves where month = ${month} for update`;
  return place;
};

/** Chooses the next slice, unless one is under way. Returns whether it has chosen one. */
const chooseSlice = (sql: postgres.Sql, month: string, sliceMax: number): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const tx = transaction as unknown as Sql;
    await tx`insert into scan_moves (month) values (${month}) on conflict do nothing`;
    const { after, until } = await lockPlace(tx, month);
    if (until !== null) return false;
    const rows = await tx<OwnedScan[]>`
      select account_id, at, id from scans where ${isIn(tx, month)} and ${isBeyond(tx, after)}
      order by account_id, at, id limit ${sliceMax}`;
    const last = rows.at(-1);
    await tx`
      update scan_moves set until_scan = ${last === undefined ? null : positionOf(last)}, slice_at = clock_timestamp(),
        is_done = ${last === undefined} where month = ${month}`;
    return true;
  });

/**
 * Copies the next slice of a month, whose end is noted before, so that a slice that is tried again has no other rows. Returns
 * how many scans it has copied; 0: the month is done. Runs at the same time take turns.
 */
export const moveSlice = async (
  sql: postgres.Sql,
  month: string,
  sliceMax: number,
  copy: (slice: Slice) => Promise<void>,
): Promise<number> => {
  const isFirstTry = await chooseSlice(sql, month, sliceMax);
  return sql.begin(async (transaction) => {
    const tx = transaction as unknown as Sql;
    const { after, until, triedMs } = await lockPlace(tx, month);
    if (until === null) return 0;
    const rows = await tx<OwnedScan[]>`
      select account_id, at, id, slug, kind, encode(visitor, 'hex') as visitor, device, os, browser, country,
        referrer_host, rule
      from scans where ${isIn(tx, month)} and ${isBeyond(tx, after)} and ${isUpTo(tx, until)}
      order by account_id, at, id`;
    await copy({ rows, token: `move ${month} ${until}`, triedBeforeMs: isFirstTry ? null : triedMs });
    await tx`
      update scan_moves set after_scan = until_scan, until_scan = null, moved = moved + ${rows.length}
      where month = ${month}`;
    // Those that were purged meanwhile count as well: 0 would end the month.
    return Math.max(1, rows.length);
  });
};

/** Notes that no scan is missing in the other store. */
export const noteScansMoved = async (sql: Sql): Promise<void> => {
  await sql`update scans_elsewhere set since = null`;
};
