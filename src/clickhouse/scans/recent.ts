/** Recent scans of the links of some codes. */

import type { Sql } from '../../db/client.ts';
import type { Fragment } from '../../db/tables/codes/look-up.ts';
import type { Span } from '../../db/tables/scans/scanned.ts';
import type { ScanCounts } from '../../db/tables/scans/scans.ts';
import { STEP_CODES, type Step } from '../../db/tables/scans/series.ts';
import type { ClickHouse } from '../client.ts';
import { quartersIn, scopeOf, within } from './scope.ts';

const NONE: ScanCounts = { people: 0, bots: 0, previews: 0 };

/** Makes what reads a step of `countRecentScans`: codes and totals in Postgres, scans in ClickHouse. */
export const createRecentStep =
  (clickhouse: ClickHouse) =>
  async (sql: Sql, codes: Fragment, span: Span): Promise<Step> => {
    const [row] = await sql<[{ read: number; links: number; last: string | null; scanned: string[] }]>`
      with code as materialized (
        select c.id, c.slug from ${codes} limit ${STEP_CODES}
      )
      select (select count(*)::int from code) as read, (select count(slug)::int from code) as links,
        (select id from code order by id desc limit 1) as last, array(
          -- The offset makes the planner look the links up one by one.
          select code.slug from code cross join lateral (
            select from scan_totals t where t.slug = code.slug and t.last_at >= ${span.from} offset 0
          ) as recent
        ) as scanned`;
    const { scanned: slugs, ...step } = row;
    if (slugs.length === 0) return { ...step, ...NONE };
    const { where, parameters } = await scopeOf(sql, { slugs });
    const [counts] = await clickhouse.read<ScanCounts>(
      `select countIf(kind = 'person') as people, countIf(kind = 'bot') as bots, countIf(kind = 'preview') as previews
      from scans where ${where} and ${within('from', 'to')}`,
      { ...parameters, ...quartersIn(span) },
    );
    return { ...step, ...NONE, ...counts };
  };
