import type { Database } from '../db/database.ts';
import { getLink, type Link, updateDestination } from '../db/tables/links.ts';

interface Edit {
  readonly accountId: string;
  /** The key that edits the link; the history shows it. */
  readonly keyId: string;
  readonly slug: string;
  /** A URL that `checkDestination` returned. */
  readonly destination: string;
}

/**
 * Changes the destination of a link. Every gateway follows within a second, because the same transaction announces the
 * change. Writes nothing when the link has this destination already. Returns `null` when the link is unknown, deleted
 * or another account's.
 */
export const editDestination = (
  { sql, changes }: Pick<Database, 'sql' | 'changes'>,
  edit: Edit,
): Promise<Link | null> =>
  sql.begin(async (tx) => {
    const link = await getLink(tx, edit.accountId, edit.slug);
    if (link === null || link.destination === edit.destination) return link;
    const edited = await updateDestination(tx, edit);
    if (edited !== null) await changes.announce(tx, { kind: 'link', id: edit.slug });
    return edited;
  });
