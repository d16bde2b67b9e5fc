/** Changes one link, or many at once, all or none. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { changeCodes, type LabelChange } from '../db/tables/codes/chosen.ts';
import { setGrade } from '../db/tables/codes/designs.ts';
import { boundHistory } from '../db/tables/histories.ts';
import {
  type EarlierLink,
  getLink,
  getLinks,
  type Link,
  type LinkRoute,
  listRoutesBefore,
  lockLinks,
  saveLinks,
} from '../db/tables/links.ts';
import { announceLinks, claimSlug, type OwnSlug } from '../db/tables/slugs.ts';
import { ok, type Result, refused } from '../result.ts';
import { sameForward } from './forward.ts';

/** A slug for a link, and how well its code is read with it. */
export interface NewSlug extends OwnSlug {
  readonly grade: number;
  readonly warnings: string;
}

interface Edit {
  readonly accountId: string;
  /** The key that edits the link; the history shows it. */
  readonly keyId: string;
  /** Any slug of the link. */
  readonly slug: string;
  /** What changes. `checkDestination` returned each address. */
  readonly change: Partial<LinkRoute>;
  /** What changes about its code. */
  readonly labels: LabelChange;
  /** The slug that its code is to encode from now on; `null`: the present one. */
  readonly newSlug: NewSlug | null;
  /** Called with the link as it is, while no other edit can change it. What it throws ends the edit. */
  readonly check: (link: Link) => void;
}

/**
 * Why a link was not changed. `missing`: it is unknown, deleted or another account's. `disordered`: it would end before
 * it starts. `taken`, `too many`: as `claimSlug` says.
 */
export type EditFault = 'missing' | 'disordered' | 'taken' | 'too many';

/** Whether links lead to the same addresses at the same times. */
const sameRoute = (a: LinkRoute, b: LinkRoute): boolean =>
  a.destination === b.destination &&
  a.activeFrom?.getTime() === b.activeFrom?.getTime() &&
  a.activeUntil?.getTime() === b.activeUntil?.getTime() &&
  a.beforeDestination === b.beforeDestination &&
  a.afterDestination === b.afterDestination &&
  sameForward(a.forward, b.forward);

/** Whether the start lies before the end, if both are set. */
const isOrdered = ({ activeFrom, activeUntil }: LinkRoute): boolean =>
  activeFrom === null || activeUntil === null || activeFrom < activeUntil;

/** What changing links needs. */
type LinkParts = Pick<Database, 'sql' | 'changes' | 'histories'>;

/**
 * Changes where and when a link leads, the slug that its code encodes, and the labels of that code. Its other slugs
 * continue to lead to it. Every gateway follows within a second, because the same transaction announces the change.
 * Edits of one link take turns, so none undoes another's fields. Writes nothing when nothing changes.
 */
export const editLink = async (
  { sql, changes, histories }: LinkParts,
  { accountId, keyId, slug, change, labels, newSlug, check }: Edit,
): Promise<Result<Link, EditFault>> => {
  const named = await getLink(sql, accountId, slug);
  if (named === null) return refused('missing');
  const { firstSlug } = named;
  return sql.begin(async (tx) => {
    await lockLinks(tx, [firstSlug]);
    const link = await getLink(tx, accountId, firstSlug);
    if (link === null) return refused('missing');
    check(link);
    const next = { ...link, ...change, ...labels, slug: newSlug?.slug ?? link.slug };
    if (!isOrdered(next)) return refused('disordered');
    if (newSlug !== null && next.slug !== link.slug) {
      // A refusal ends the transaction without a rollback, so nothing is written before the last possible one.
      const claim = await claimSlug(tx, link, newSlug);
      if (!claim.ok) return claim;
      await setGrade(tx, link.accountId, link.codeId, newSlug);
    }
    if (Object.keys(labels).length > 0) await changeCodes(tx, accountId, [link.codeId], labels);
    if (sameRoute(link, next) && next.slug === link.slug) return ok(next);
    await saveLinks(tx, [next], { keyId, changeId: null });
    await boundHistory(tx, histories, accountId, 'links', [firstSlug]);
    await announceLinks(tx, changes, [firstSlug]);
    const [edited] = await getLinks(tx, accountId, [firstSlug]);
    return ok(edited ?? next);
  });
};

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
interface ManyEditor {
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
 * when the account has no such change, or its history is no longer complete.
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
