import type { Database } from '../db/database.ts';
import { getLink, type Link, updateDestination } from '../db/tables/links.ts';

interface Edit {
  readonly accountId: string;
  /** The key that asks, for the history. */
  readonly keyId: string;
  readonly slug: string;
  /** What `checkDestination` gave. */
  readonly destination: string;
}

/**
 * Leads a link elsewhere, on every gateway within a second: they are told in the same transaction. Where it
 * leads there already, nothing is noted. `null`: unknown, deleted or another account's.
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
