import type { Database } from '../db/database.ts';
import { getLink, type Link, type LinkRoute, lockLink, updateRoute } from '../db/tables/links.ts';

interface Edit {
  readonly accountId: string;
  /** The key that edits the link; the history shows it. */
  readonly keyId: string;
  readonly slug: string;
  /** What changes. `checkDestination` returned each address. */
  readonly change: Partial<LinkRoute>;
}

const sameRoute = (a: LinkRoute, b: LinkRoute): boolean =>
  a.destination === b.destination &&
  a.activeFrom?.getTime() === b.activeFrom?.getTime() &&
  a.activeUntil?.getTime() === b.activeUntil?.getTime() &&
  a.beforeDestination === b.beforeDestination &&
  a.afterDestination === b.afterDestination;

/** Whether the start lies before the end, as far as there are both. */
const isOrdered = ({ activeFrom, activeUntil }: LinkRoute): boolean =>
  activeFrom === null || activeUntil === null || activeFrom < activeUntil;

/**
 * Changes where and when a link leads. Every gateway follows within a second, because the same transaction announces
 * the change. Edits of one link take turns, so none undoes another's fields. Writes nothing when nothing changes.
 * Returns `null` when the link is unknown, deleted or another account's, and `disordered` when it would end before it
 * starts.
 */
export const editLink = (
  { sql, changes }: Pick<Database, 'sql' | 'changes'>,
  { accountId, keyId, slug, change }: Edit,
): Promise<Link | null | 'disordered'> =>
  sql.begin(async (tx) => {
    await lockLink(tx, slug);
    const link = await getLink(tx, accountId, slug);
    if (link === null) return null;
    const next = { ...link, ...change };
    if (sameRoute(link, next)) return link;
    if (!isOrdered(next)) return 'disordered';
    const edited = await updateRoute(tx, { ...next, keyId });
    if (edited !== null) await changes.announce(tx, { kind: 'link', id: slug });
    return edited;
  });
