/** Retention of histories: what was replaced longer ago than the operator allows is removed. */
import type { Sql } from '../client.ts';
import type { Database } from '../database.ts';
import { runPaced } from '../statements.ts';
import { HISTORIES } from './histories.ts';
import { monthsBefore } from './retention.ts';

/** Entries that a statement looks at. */
const STEP_ENTRIES = 500;
/** Statements per run and history; the next run continues there. */
const MAX_STEPS = 2000;

type History = (typeof HISTORIES)[keyof typeof HISTORIES];

/** What a step looked at. */
interface Seen {
  /** The last entry; `null`: there are no more that are old enough. */
  readonly last: string | null;
  readonly removed: number;
}

/**
 * Looks at the next entries that were made before a time. One is removed when a later one replaced it before that time,
 * and is not the last one: how a thing is, and how it was before, is always kept. A change of many that could then be
 * undone only in part cannot be undone any more: its entries no longer have its id.
 */
const removeNext = async (
  tx: Sql,
  { table, thing, isUndoable }: History,
  after: string,
  before: Date,
): Promise<Seen> => {
  const [seen] = await tx<[Seen]>`
    with next as materialized (
      select * from ${tx(table)} where id > ${after} and at < ${before} order by id limit ${STEP_ENTRIES}
    ), old as materialized (
      select next.* from next cross join lateral (
        select id, at from ${tx(table)} h where h.${tx(thing)} = next.${tx(thing)} and h.id > next.id order by id limit 1
      ) as replaced
      where replaced.at < ${before}
        and exists (select from ${tx(table)} h where h.${tx(thing)} = next.${tx(thing)} and h.id > replaced.id)
    )${
      isUndoable
        ? tx`, parted as (
      update ${tx(table)} set change_id = null
      where change_id in (select change_id from old) and id not in (select id from old)
    )`
        : tx``
    }, removed as (
      delete from ${tx(table)} where id in (select id from old) returning id
    )
    select (select max(id) from next) as last, (select count(*)::int from removed) as removed`;
  return seen;
};

/** Gateways share one walk. Returns `null` while another one is at it. */
const step = ({ sql }: Pick<Database, 'sql'>, history: History, before: Date): Promise<Seen | null> =>
  sql.begin(async (tx) => {
    const [place] = await tx<{ afterId: string }[]>`
      select after_id from history_retention where history = ${history.table} for update skip locked`;
    if (place === undefined) return null;
    const seen = await removeNext(tx, history, place.afterId, before);
    await tx`update history_retention set after_id = ${seen.last ?? '0'} where history = ${history.table}`;
    return seen;
  });

/**
 * Removes what was replaced more than so many months ago from the histories of links, items and dead links, in bounded
 * steps.
 *
 * @param months `null`: nothing.
 * @returns Whether the walks reached their ends.
 */
export const expireHistories = async (
  database: Pick<Database, 'sql' | 'histories'>,
  now: Date,
  months: number | null,
): Promise<boolean> => {
  const before = monthsBefore(now, months);
  if (before === null) return true;
  let isComplete = true;
  for (const history of Object.values(HISTORIES)) {
    let seen: Seen | null = { last: '0', removed: 0 };
    for (let steps = 0; seen !== null && seen.last !== null && steps < MAX_STEPS; steps += 1) {
      seen = await runPaced(() => step(database, history, before));
      database.histories.noteRemoved(seen?.removed ?? 0);
    }
    if (seen !== null && seen.last !== null) isComplete = false;
  }
  return isComplete;
};
