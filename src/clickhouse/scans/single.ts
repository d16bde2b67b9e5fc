/** Single scans, as stored. */
import type postgres from 'postgres';
import { type Cursor, encodeCursor, type Page, type PageRequest } from '../../db/cursor.ts';
import type { RawScan, RawScansFilter } from '../../db/tables/scans/raw.ts';
import { findLinks, isMeant, SCANNED_MAX } from '../../db/tables/scans/scanned.ts';
import { BREAKDOWNS } from '../../lists.ts';
import type { ClickHouse, Parameters } from '../client.ts';
import { zoneOf } from './counts.ts';
import { within } from './scope.ts';

const COLUMNS = Object.keys(BREAKDOWNS);

interface Row extends Pick<RawScan, 'kind' | 'localTime' | 'values'> {
  readonly atMs: number;
  /** 32 hexadecimal digits. */
  readonly idHex: string;
  readonly slug: string;
  readonly visitorHex: string;
}

const toUuid = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The value of an id by which scans of the same time are ordered. */
export const toNumber = (id: string): string => BigInt(`0x${id.replaceAll('-', '')}`).toString();

/**
 * The slugs among which are all that are meant; `null`: those of the account, because the filter names no link or too
 * many.
 */
const slugsOf = async (
  sql: postgres.Sql,
  { firstSlug, from: _from, to: _to, timeZone: _zone, rule: _rule, ...filter }: RawScansFilter,
): Promise<readonly string[] | null> => {
  if (firstSlug !== null) return [firstSlug];
  if (Object.keys(filter).length === 1) return null;
  const found = await sql.begin((tx) =>
    findLinks(tx as unknown as postgres.Sql, filter, 'scanned', SCANNED_MAX.server.links),
  );
  return found.ok ? found.value.map(({ slug }) => slug) : null;
};

/** What answers say of the links that work and are meant, by their first slugs. */
const shownOf = async (
  sql: postgres.Sql,
  filter: RawScansFilter,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, { readonly shown: string; readonly codeId: string }>> => {
  const rows = await sql<{ slug: string; shown: string; codeId: string }[]>`
    select wanted.slug, live.shown, live.code_id from unnest(${slugs as string[]}::text[]) as wanted (slug)
    -- Without the offset, all links of the account may be read.
    cross join lateral (
      select coalesce(l.own_slug, l.slug) as shown, c.id as code_id from codes c join links l on l.slug = c.slug
      where c.slug = wanted.slug and c.deleted_at is null and l.deleted_at is null and ${isMeant(sql, filter)} offset 0
    ) as live`;
  return new Map(rows.map(({ slug, ...live }) => [slug, live]));
};

const readRows = (
  clickhouse: ClickHouse,
  { accountId: account, rule, from, to, timeZone }: RawScansFilter,
  slugs: readonly string[] | null,
  after: Cursor | null,
  limit: number,
): Promise<readonly Row[]> => {
  const parameters: Parameters = {
    ...{ account, limit, zone: zoneOf(timeZone) },
    ...{ from: after?.createdAt.getTime() ?? from.getTime(), to: to.getTime() },
    ...(slugs !== null && { slugs }),
    ...(rule !== undefined && { rule }),
    ...(after !== null && { after: toNumber(after.id) }),
  };
  return clickhouse.read<Row>(
    `select toUnixTimestamp64Milli(at) as atMs, leftPad(lower(hex(id)), 32, '0') as idHex, slug, kind,
      leftPad(lower(hex(visitor)), 16, '0') as visitorHex, [${COLUMNS.join(', ')}] as values,
      formatDateTime(at, '%F %T', {zone:String}) as localTime
    from scans where account_id = {account:UUID} and ${within('from', 'to')}
      ${slugs === null ? '' : 'and slug in {slugs:Array(String)}'}
      ${rule === undefined ? '' : 'and rule = {rule:String}'}
      ${after === null ? '' : "and (at > fromUnixTimestamp64Milli({from:Int64}, 'UTC') or id > {after:UInt128})"}
    order by at, id limit {limit:UInt32}`,
    parameters,
  );
};

/**
 * Returns a page of scans by time, oldest first. Those of deleted links, and of links that are not meant, are omitted,
 * so a page may be short or empty even though `next` is not `null`; the next page continues there.
 */
export const listScans = async (
  clickhouse: ClickHouse,
  sql: postgres.Sql,
  filter: RawScansFilter,
  { after, limit }: PageRequest,
): Promise<Page<RawScan>> => {
  const slugs = await slugsOf(sql, filter);
  if (slugs?.length === 0) return { rows: [], next: null };
  const found = await readRows(clickhouse, filter, slugs, after, limit + 1);
  const page = found.slice(0, limit);
  const shown = await shownOf(sql, filter, [...new Set(page.map(({ slug }) => slug))]);
  const rows = page.flatMap(({ atMs, idHex, slug, visitorHex, kind, localTime, values }) => {
    const live = shown.get(slug);
    if (live === undefined) return [];
    const { shown: shownSlug, codeId } = live;
    const [id, createdAt] = [toUuid(idHex), new Date(atMs)];
    return [{ id, createdAt, slug: shownSlug, codeId, kind, visitor: visitorHex, values, localTime }];
  });
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    rows,
    next:
      last === undefined ? null : encodeCursor({ createdAt: new Date(last.atMs), id: toUuid(last.idHex) }),
  };
};
