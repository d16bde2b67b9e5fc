/** Brings links back to how they were before a job changed them. */
import { tagCodes } from '../db/tables/codes/chosen.ts';
import { dropEarlier, type EarlierState, keepEarlier, listEarlier } from '../db/tables/link-jobs/links.ts';
import type { JobTurn, Progress } from '../db/tables/link-jobs/turns.ts';
import { getLinks, type Link, lockLinks, routeOf } from '../db/tables/links.ts';
import { holdRuleSets } from '../db/tables/rules/rule-sets.ts';
import { type LinkParts, sameRoute, saveRoutes } from '../links/edit.ts';

/** Links that are brought back in one transaction. */
const LINKS_AT_A_TIME = 500;

/** Whether two codes have the same tags. */
export const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((tag, place) => tag === b[place]);

/** A link as it is, and as it shall be. */
export interface LinkChange {
  /** The row of the job. */
  readonly row: number;
  readonly link: Link;
  readonly next: Link;
}

/** Whether anything changes. */
export const isChange = ({ link, next }: LinkChange): boolean =>
  !sameRoute(link, next) || !sameTags(link.tags, next.tags);

/**
 * Writes links of a job, which must be locked. Returns how they were.
 *
 * @param changeId What their histories say the change belongs to; `null`: nothing.
 */
export const writeLinks = async (
  parts: LinkParts,
  { accountId, keyId }: JobTurn,
  changes: readonly LinkChange[],
  changeId: string | null,
): Promise<readonly EarlierState[]> => {
  const rerouted = changes.filter(({ link, next }) => !sameRoute(link, next)).map(({ next }) => next);
  if (rerouted.length > 0) await saveRoutes(parts, { accountId, keyId }, rerouted, changeId);
  const retagged = changes.filter(({ link, next }) => !sameTags(link.tags, next.tags));
  if (retagged.length > 0)
    await tagCodes(
      parts.sql,
      accountId,
      retagged.map(({ next: { codeId, tags } }) => ({ codeId, tags })),
    );
  return changes.map(({ row, link, next }) => ({
    firstSlug: link.firstSlug,
    row,
    route: routeOf(link),
    tags: sameTags(link.tags, next.tags) ? null : link.tags,
  }));
};

/** The links that are brought back next, those of them that change, and how far that is. */
const readBack = async ({ sql }: LinkParts, { accountId }: JobTurn, jobId: string, afterSlug: string) => {
  const states = await listEarlier(sql, jobId, { afterSlug, limit: LINKS_AT_A_TIME });
  const firstSlugs = states.map(({ firstSlug }) => firstSlug);
  await lockLinks(sql, firstSlugs);
  const links = new Map((await getLinks(sql, accountId, firstSlugs)).map((link) => [link.firstSlug, link]));
  const ids = states.flatMap(({ route }) => route.ruleSetId ?? []);
  const sets = new Set(
    ids.length === 0 ? [] : (await holdRuleSets(sql, accountId, { names: [], ids })).map(({ id }) => id),
  );
  const missing = states.filter(({ firstSlug }) => !links.has(firstSlug));
  const changes = states.flatMap(({ firstSlug, row, route, tags }): LinkChange[] => {
    const link = links.get(firstSlug);
    if (link === undefined) return [];
    // A rule set may be deleted since.
    const ruleSetId = route.ruleSetId !== null && sets.has(route.ruleSetId) ? route.ruleSetId : null;
    return [{ row, link, next: { ...link, ...route, ruleSetId, tags: tags ?? link.tags } }];
  });
  return { firstSlugs, missing, changes: changes.filter(isChange) };
};

/** Brings back the next links that a job itself has changed, and drops what it keeps of them. Returns how many. */
export const revertNext = async (parts: LinkParts, job: JobTurn): Promise<number> => {
  const { firstSlugs, changes } = await readBack(parts, job, job.id, '');
  await writeLinks(parts, job, changes, null);
  await dropEarlier(parts.sql, job.id, firstSlugs);
  return firstSlugs.length;
};

/** Links that an undo has left out, because they were deleted since. */
export interface Undone {
  readonly progress: Pick<
    Progress,
    'handled' | 'changed' | 'unchanged' | 'faults' | 'afterSlug' | 'keptBytes'
  >;
  readonly missing: readonly EarlierState[];
}

/** Brings back the next links that another job has changed. Returns `null` when none is left. */
export const undoNext = async (parts: LinkParts, job: JobTurn): Promise<Undone | null> => {
  const { firstSlugs, missing, changes } = await readBack(parts, job, job.undoes!, job.afterSlug);
  const last = firstSlugs.at(-1);
  if (last === undefined) return null;
  const keptBytes = await keepEarlier(parts.sql, job.id, await writeLinks(parts, job, changes, job.id));
  const progress = {
    handled: firstSlugs.length,
    changed: changes.length,
    unchanged: firstSlugs.length - changes.length - missing.length,
    faults: missing.length,
    afterSlug: last,
    keptBytes,
  };
  return { progress, missing };
};
