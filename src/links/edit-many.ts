/** Changes many links at once, all or none. */
import { randomUUID } from 'node:crypto';
import { boundHistory } from '../db/tables/histories/bound.ts';
import { type EarlierLink, listRoutesBefore } from '../db/tables/links/many.ts';
import { announceLinks } from '../db/tables/links/own-slugs.ts';
import { getLinks, type Link, type LinkRoute, lockLinks, saveLinks } from '../db/tables/links.ts';
import { ok, type Result, refused } from '../result.ts';
import { type EditFault, isOrdered, type LinkParts, sameRoute } from './edit.ts';

/** The most links that are changed at once. */
export const LINKS_AT_ONCE_MAX = 1000;

/** What a change of many links did. */
export interface ManyEdited {
  /** The id for undoing the change; `null`: it changed nothing. */
  readonly changeId: string | null;
  readonly links: number;
  /** The other links had these fields already. */
  readonly changed: number;
}

/** The link that cannot be changed, and why. */
export interface ManyFault {
  readonly slug: string;
  readonly why: EditFault;
}

/** Whose links are changed. */
export interface ManyEditor {
  readonly accountId: string;
  /** The key that edits them; the history shows it. */
  readonly keyId: string;
}

/** Writes what `nextOf` returns for each of the links, and announces it. */
const editAll = (
  { sql, changes, histories }: LinkParts,
  { accountId, keyId }: ManyEditor,
  firstSlugs: readonly string[],
  nextOf: (link: Link) => Link,
): Promise<Result<ManyEdited, ManyFault>> =>
  sql.begin(async (tx) => {
    await lockLinks(tx, firstSlugs);
    const links = await getLinks(tx, accountId, firstSlugs);
    const found = new Set(links.map(({ firstSlug }) => firstSlug));
    const missing = firstSlugs.find((slug) => !found.has(slug));
    if (missing !== undefined) return refused({ slug: missing, why: 'missing' as const });
    const next = links.flatMap((link) => {
      const changed = nextOf(link);
      return sameRoute(link, changed) ? [] : [changed];
    });
    const disordered = next.find((link) => !isOrdered(link));
    if (disordered !== undefined) return refused({ slug: disordered.slug, why: 'disordered' as const });
    if (next.length === 0) return ok({ changeId: null, links: links.length, changed: 0 });
    const changeId = randomUUID();
    await saveLinks(tx, next, { keyId, changeId });
    const changed = next.map(({ firstSlug }) => firstSlug);
    await boundHistory(tx, histories, accountId, 'links', changed);
    await announceLinks(tx, changes, changed);
    return ok({ changeId, links: links.length, changed: next.length });
  });

/**
 * Changes where and when links lead. Every gateway follows within a second. The history of each link records it.
 *
 * @param firstSlugs The slugs that the links were made with, each once, at most `LINKS_AT_ONCE_MAX`.
 */
export const editLinks = (
  parts: LinkParts,
  editor: ManyEditor,
  firstSlugs: readonly string[],
  change: Partial<LinkRoute>,
): Promise<Result<ManyEdited, ManyFault>> =>
  editAll(parts, editor, firstSlugs, (link) => ({ ...link, ...change }));

const routeOf = ({ firstSlug: _, ...route }: EarlierLink): LinkRoute => route;

/**
 * Undoes a change of many links: each leads where it led before, whatever was changed since. Slugs are not changed, and
 * links that were deleted since are skipped. The undo is itself a change of many, so it can be undone. Returns `null`
 * when the account has no such change, or its history is no longer kept whole.
 */
export const undoChange = async (
  parts: LinkParts,
  editor: ManyEditor,
  changeId: string,
): Promise<Result<ManyEdited, ManyFault> | null> => {
  const earlier = await listRoutesBefore(parts.sql, editor.accountId, changeId);
  if (earlier.length === 0) return null;
  const routes = new Map(earlier.map((link) => [link.firstSlug, routeOf(link)]));
  return editAll(parts, editor, [...routes.keys()], (link) => ({ ...link, ...routes.get(link.firstSlug) }));
};
