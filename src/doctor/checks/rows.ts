/** Rows that should have gone on, or that belong to nothing. */

import type { Inspected } from '../../db/inspect.ts';
import { pluralise } from '../../pluralise.ts';
import { type Finding, faultsOr, findingsOf } from '../finding.ts';

/** Counting stops here. */
const COUNT_MAX = 10_000;

/** Looks for batches that no gateway ends. */
export const checkBatches = async ({ sql }: Inspected): Promise<readonly Finding[]> => {
  const { ok, warn } = findingsOf('batches');
  const [{ open, late }] = await sql<[{ open: number; late: number }]>`
    select count(*) as open, count(*) filter (where expires_at < now() - interval '10 minutes') as late
    from (select expires_at from batches where finished_at is null limit ${COUNT_MAX}) x`;
  return faultsOr(
    [
      late > 0 &&
        warn(
          `${pluralise(late, 'batch', 'batches')} should have expired: start a gateway with BATCH_WORKERS above 0.`,
        ),
    ],
    ok(`${pluralise(open, 'batch', 'batches')} under way, none beyond its time.`),
  );
};

const SAMPLE_ROWS = 100_000;

/**
 * Looks for links whose code is gone and that still lead somewhere: in a sample of blocks of the table, or in all of it.
 */
export const checkLinks = async (
  { sql }: Inspected,
  { isAll }: { readonly isAll: boolean },
): Promise<readonly Finding[]> => {
  const { ok, fail } = findingsOf('links');
  const [{ rows }] = await sql<[{ rows: number }]>`
    select reltuples::bigint as rows from pg_class where oid = 'links'::regclass`;
  const percent = isAll || rows <= SAMPLE_ROWS ? 100 : (100 * SAMPLE_ROWS) / rows;
  const [{ looked, lost, example }] = await sql<[{ looked: number; lost: number; example: string | null }]>`
    select count(*) as looked, count(*) filter (where c.id is null) as lost,
      min(l.slug) filter (where c.id is null) as example
    from links l tablesample system (${percent}) left join codes c on c.slug = l.slug
    where l.deleted_at is null`;
  return faultsOr(
    [
      lost > 0 &&
        fail(
          `${pluralise(lost, 'short link')} of ${looked} (such as ${example}) have no code: delete or restore them.`,
        ),
    ],
    ok(`${pluralise(looked, 'short link')}${percent < 100 ? ' of a sample' : ''}, each with its code.`),
  );
};

/**
 * Looks for deliveries that no gateway sends. Those of a receiver that fails wait for their next try, and are not late.
 */
export const checkWebhooks = async ({ sql }: Inspected): Promise<readonly Finding[]> => {
  const { ok, fail } = findingsOf('webhooks');
  const [{ waiting, late }] = await sql<[{ waiting: number; late: number }]>`
    select count(*) as waiting, count(*) filter (
      where greatest(next_at, paused_until, served_at) < now() - interval '10 minutes') as late
    from (
      select d.next_at, w.paused_until, w.served_at from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.state = 'waiting' and w.state = 'on' limit ${COUNT_MAX}
    ) x`;
  return faultsOr(
    [
      late > 0 &&
        fail(
          `${pluralise(late, 'delivery', 'deliveries')} should have been sent ten minutes ago: start a gateway.`,
        ),
    ],
    ok(`${pluralise(waiting, 'delivery waits', 'deliveries wait')}, none for too long.`),
  );
};
