import { namesOf } from '../../../../workers/lists.ts';
import { BREAKDOWNS, type Breakdown, OTHER } from '../../../lists.ts';
import type { Sql } from '../../client.ts';
import type { Fragment } from '../codes/look-up.ts';
import { type Scanned, type Span, scansOfRule, slugsExcept } from './scanned.ts';
import type { ScanCounts } from './scans.ts';

/** The scans with one value of a breakdown. */
export interface BreakdownRow extends ScanCounts {
  /** `null`: the value of these scans is unknown. */
  readonly value: string | null;
}

/** The rows of every breakdown, most people first; `OTHER` and `null` come last. */
export type Breakdowns = Readonly<Record<Breakdown, readonly BreakdownRow[]>>;

/** Referrers with a row of their own; the rest are summed up in the row `OTHER`, with what was stored as such. */
export const REFERRERS_MAX = 100;

/** The columns that are counted together, as the dimension `client`, since they derive from one header. */
export const CLIENT: readonly Breakdown[] = ['device', 'os', 'browser'];

/** All dimensions. The primary key begins with slug and dimension, so queries list them. */
export const DIMENSIONS = ['client', ...namesOf(BREAKDOWNS).filter((name) => !CLIENT.includes(name))];

const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;

/** Whose scans can be broken down. */
export type BrokenDown =
  | Exclude<Scanned, { readonly accountId: string }>
  | Extract<Scanned, { readonly rule: string } | { readonly except: readonly string[] }>;

/** The scans with one value of a dimension. */
export interface Sum extends ScanCounts {
  readonly dimension: 'client' | Breakdown;
  /** A client is all of `CLIENT` joined by '/'; unknown parts are ''. */
  readonly value: string;
}

/** Widens a span to whole quarters of an hour, and finds the whole UTC days in it, if any. */
const split = ({ from, to }: Span) => {
  const startMs = Math.floor(from.getTime() / QUARTER_MS) * QUARTER_MS;
  const endMs = Math.ceil(to.getTime() / QUARTER_MS) * QUARTER_MS;
  const daysStartMs = Math.min(Math.ceil(startMs / DAY_MS) * DAY_MS, endMs);
  const daysEndMs = Math.max(Math.floor(endMs / DAY_MS) * DAY_MS, daysStartMs);
  return {
    start: new Date(startMs),
    daysStart: new Date(daysStartMs),
    daysEnd: new Date(daysEndMs),
    end: new Date(endMs),
  };
};

/** Those of a link, as a query names its slug. */
const ofLink = (sql: Sql, slug: Fragment, span: Span) => {
  const { start, daysStart, daysEnd, end } = split(span);
  const part = (grain: 'quarter' | 'day', from: Date, to: Date) => sql`
    select dimension, value, people, bots, previews from scan_breakdowns b
    where b.slug = ${slug} and dimension = any(${DIMENSIONS}) and grain = ${grain}
      and start >= ${from} and start < ${to}`;
  return sql`
    ${part('quarter', start, daysStart)}
    union all ${part('day', daysStart, daysEnd)}
    union all ${part('quarter', daysEnd, end)}`;
};

/** Selects counts by dimension and value. */
const counts = (sql: Sql, { from, to, ...scanned }: Span & BrokenDown) => {
  if ('rule' in scanned)
    return sql`
      select dimension, value, (kind = 'person')::int as people, (kind = 'bot')::int as bots,
        (kind = 'preview')::int as previews
      from (select * from ${scansOfRule(sql, scanned)} and at >= ${from} and at < ${to}) as led
      cross join lateral unnest(
        ${DIMENSIONS}::text[], array[concat_ws('/', ${sql(CLIENT)}), ${sql(DIMENSIONS.slice(1))}]
      ) as known (dimension, value)
      where value <> ''`;
  if ('slug' in scanned) return ofLink(sql, sql`${scanned.slug}`, { from, to });
  const wanted =
    'except' in scanned
      ? slugsExcept(sql, scanned.accountId, scanned.except)
      : sql`unnest(${scanned.slugs as string[]}::text[]) as wanted (slug)`;
  return sql`
    select b.* from ${wanted}
    cross join lateral (${ofLink(sql, sql`wanted.slug`, { from, to })} offset 0) as b`;
};

const readSums = (sql: Sql, query: Span & BrokenDown): Promise<readonly Sum[]> => sql<Sum[]>`
    with summed as (
      select dimension, value, sum(people) as people, sum(bots) as bots, sum(previews) as previews
      from (${counts(sql, query)}) as parts
      group by 1, 2
    ), ranked as (
      select *, row_number() over (
        partition by dimension order by value = ${OTHER}, people desc, bots + previews desc, value) as rank
      from summed
    )
    select dimension, case when dimension = 'referrer_host' and rank > ${REFERRERS_MAX} then ${OTHER} else value end as value,
      sum(people)::bigint as people, sum(bots)::bigint as bots, sum(previews)::bigint as previews
    from ranked group by 1, 2`;

const NONE: ScanCounts = { people: 0, bots: 0, previews: 0 };

const addCounts = (a: ScanCounts, b: ScanCounts, sign: 1 | -1 = 1): ScanCounts => ({
  people: a.people + sign * b.people,
  bots: a.bots + sign * b.bots,
  previews: a.previews + sign * b.previews,
});

const total = (counts: Iterable<ScanCounts>): ScanCounts =>
  [...counts].reduce((sum, count) => addCounts(sum, count), NONE);

/** Sorts rows: most people first, `OTHER` and `null` last. */
const listed = (counts: ReadonlyMap<string, ScanCounts>): readonly BreakdownRow[] => {
  const rows = [...counts].map(([value, { people, bots, previews }]) => ({
    value: value || null,
    people,
    bots,
    previews,
  }));
  const place = ({ value }: BreakdownRow) => (value === null ? 2 : value === OTHER ? 1 : 0);
  const scans = ({ people, bots, previews }: BreakdownRow) => people + bots + previews;
  return rows
    .filter((row) => scans(row) > 0)
    .sort(
      (a, b) =>
        place(a) - place(b) ||
        b.people - a.people ||
        scans(b) - scans(a) ||
        (`${a.value}` < `${b.value}` ? -1 : 1),
    );
};

/** Makes breakdowns of sums. Each counts every scan once; scans whose value is unknown are in the row `null`. */
export const toBreakdowns = (sums: readonly Sum[]): Breakdowns => {
  const clients = sums.filter(({ dimension }) => dimension === 'client');
  const all = total(clients);

  const byPart = (index: number): readonly BreakdownRow[] => {
    const counts = new Map<string, ScanCounts>();
    for (const client of clients) {
      const value = client.value.split('/')[index] ?? '';
      counts.set(value, addCounts(counts.get(value) ?? NONE, client));
    }
    return listed(counts);
  };
  const byDimension = (name: Sum['dimension']): readonly BreakdownRow[] => {
    const counts = new Map<string, ScanCounts>(
      sums.filter(({ dimension }) => dimension === name).map((sum) => [sum.value, sum]),
    );
    return listed(counts.set('', addCounts(all, total(counts.values()), -1)));
  };

  const rowsOf = (name: Breakdown) =>
    CLIENT.includes(name) ? byPart(CLIENT.indexOf(name)) : byDimension(name);
  return Object.fromEntries(namesOf(BREAKDOWNS).map((name) => [name, rowsOf(name)])) as unknown as Breakdowns;
};

/** Returns the breakdowns of scans in a span, widened to whole quarters of an hour. */
export const scanBreakdowns = async (sql: Sql, query: Span & BrokenDown): Promise<Breakdowns> =>
  toBreakdowns(await readSums(sql, query));
