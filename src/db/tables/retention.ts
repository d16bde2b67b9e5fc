/** Retention: codes older than the operator allows move to the bin, from which they are purged. */
import type postgres from 'postgres';
import type { Sql } from '../client.ts';
import type { Database } from '../database.ts';
import { runPaced } from '../statements.ts';
import { firstIdAt } from './codes/look-up.ts';
import { announceLinks } from './slugs.ts';

/** Maximum age of codes outside kept folders. `null`: unlimited. */
export interface Retention {
  /** Months since a code was created. */
  readonly codesMonths: number | null;
  /** Months since both a dynamic code's creation and the last scan of its short link by a person. */
  readonly linksMonths: number | null;
}

/** Codes examined per statement. Moving them blocks the embedded database for some 50 ms. */
const STEP_CODES = 500;
/** Statements per run; the next run continues there. */
const MAX_STEPS = 200;

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Returns the time that is some months before another one; `null`: never. */
export const monthsBefore = (now: Date, months: number | null): Date | null => {
  if (months === null) return null;
  const start = new Date(now);
  start.setUTCMonth(start.getUTCMonth() - months);
  return start;
};

const idAt = (time: Date | null): string => (time === null ? NO_ID : firstIdAt(time));

/** The age cutoffs, as times and as ids. */
interface Ends {
  readonly codes: Date | null;
  readonly links: Date | null;
  readonly codeId: string;
  readonly linkId: string;
}

const endsOf = (now: Date, { codesMonths, linksMonths }: Retention): Ends => {
  const codes = monthsBefore(now, codesMonths);
  const links = monthsBefore(now, linksMonths);
  return { codes, links, codeId: idAt(codes), linkId: idAt(links) };
};

/** Where the walk through all folders stands. */
interface Place {
  readonly folderId: string;
  /** The last code examined; `null`: the folder is done. */
  readonly afterId: string | null;
}

interface Seen {
  readonly read: number;
  readonly last: string | null;
  readonly slugs: readonly (string | null)[];
}

/** Moves the expired codes among the next ones of a folder to the bin. */
const moveOld = async (tx: Sql, folderId: string, afterId: string, ends: Ends): Promise<Seen> => {
  const [seen] = await tx<[Seen]>`
    with next as materialized (
      select ctid as place, id, slug from codes
      where folder_id = ${folderId} and deleted_at is null
        and id > ${afterId} and id < greatest(${ends.codeId}::uuid, ${ends.linkId}::uuid)
      order by id limit ${STEP_CODES}
    ), moved as (
      update codes set deleted_at = now()
      where folder_id = ${folderId} and deleted_at is null and ctid = any(array(
        select place from next
        where case when slug is null then id < ${ends.codeId}::uuid
          else id < ${ends.linkId}::uuid and not exists (
            select from scan_totals t where t.slug = next.slug and t.last_at >= ${ends.links}::timestamptz)
          end
      ))
      returning slug
    )
    select (select count(*)::int from next) as read, (select id from next order by id desc limit 1) as last,
      array(select slug from moved) as slugs`;
  return seen;
};

/**
 * Moves a folder to the bin if it is as old as its expired codes, is empty, and nothing is being made for it.
 */
const moveEmptyFolder = async (tx: Sql, id: string, before: Date | null): Promise<number> => {
  const { count } = await tx`
    update folders f set deleted_at = now()
    where id = ${id} and created_at < ${before}::timestamptz
      and not exists (select from codes where folder_id = f.id and deleted_at is null)
      and not exists (select from batches where account_id = f.account_id and folder_id = f.id and finished_at is null)`;
  return count;
};

/** The result of a step; `null`: another gateway is walking at the moment. */
type Step = { readonly expired: number; readonly isEnd: boolean } | null;

const step = ({ sql, changes }: Pick<Database, 'sql' | 'changes'>, ends: Ends): Promise<Step> =>
  sql.begin(async (tx) => {
    const [place] = await tx<Place[]>`select folder_id, after_id from code_retention for update skip locked`;
    if (place === undefined) return null;
    const { folderId, afterId } = place;
    // The lock makes callers that want to keep the folder wait until the step ends.
    const [folder] = await tx<{ id: string }[]>`
      select id from folders where deleted_at is null and not keep
        and ${afterId === null ? tx`id > ${folderId}` : tx`id >= ${folderId}`}
      order by id limit 1 for no key update`;
    if (folder === undefined) {
      await tx`update code_retention set folder_id = ${NO_ID}, after_id = ${NO_ID}`;
      return { expired: 0, isEnd: true };
    }
    const from = folder.id === folderId && afterId !== null ? afterId : NO_ID;
    const { read, last, slugs } = await moveOld(tx, folder.id, from, ends);
    const isDone = read < STEP_CODES;
    const folders = isDone ? await moveEmptyFolder(tx, folder.id, ends.codes) : 0;
    await tx`update code_retention set folder_id = ${folder.id}, after_id = ${isDone ? null : last}`;
    const links = slugs.filter((slug) => slug !== null);
    if (links.length > 0) await announceLinks(tx, changes, links);
    return { expired: slugs.length + folders, isEnd: false };
  });

/**
 * Moves old codes outside kept folders, and old empty folders, to the bin, in bounded steps. Gateways share one walk
 * through all folders: each run continues where the last one ended, on whichever gateway.
 *
 * @returns How many codes and folders were moved, and whether the walk reached its end.
 */
export const expireCodes = async (
  database: { readonly sql: postgres.Sql } & Pick<Database, 'changes'>,
  now: Date,
  retention: Retention,
): Promise<{ readonly expired: number; readonly isComplete: boolean }> => {
  const ends = endsOf(now, retention);
  let expired = 0;
  if (ends.codes === null && ends.links === null) return { expired, isComplete: true };
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const done = await runPaced(() => step(database, ends));
    expired += done?.expired ?? 0;
    if (done === null || done.isEnd) return { expired, isComplete: true };
  }
  return { expired, isComplete: false };
};
