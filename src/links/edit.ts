import type { Database } from '../db/database.ts';
import { changeCodes, type LabelChange } from '../db/tables/code-lists/chosen.ts';
import { setGrade } from '../db/tables/codes/design.ts';
import { boundHistory } from '../db/tables/histories/bound.ts';
import { announceLinks, claimSlug, type OwnSlug } from '../db/tables/links/own-slugs.ts';
import { getLink, getLinks, type Link, type LinkRoute, lockLinks, saveLinks } from '../db/tables/links.ts';
import { ok, type Result, refused } from '../result.ts';

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
export const sameRoute = (a: LinkRoute, b: LinkRoute): boolean =>
  a.destination === b.destination &&
  a.activeFrom?.getTime() === b.activeFrom?.getTime() &&
  a.activeUntil?.getTime() === b.activeUntil?.getTime() &&
  a.beforeDestination === b.beforeDestination &&
  a.afterDestination === b.afterDestination;

/** Whether the start lies before the end, if both are set. */
export const isOrdered = ({ activeFrom, activeUntil }: LinkRoute): boolean =>
  activeFrom === null || activeUntil === null || activeFrom < activeUntil;

/** What changing links needs. */
export type LinkParts = Pick<Database, 'sql' | 'changes' | 'histories'>;

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
      const claim = await claimSlug(tx, firstSlug, newSlug);
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
