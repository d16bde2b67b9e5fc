import type { Inspected } from '../../db/inspect.ts';
import { type Finding, findingsOf } from '../finding.ts';

/** Checks that gateways hear of each other's changes: revoked keys, edited links. */
export const checkNews = async ({ embedded, hears }: Inspected): Promise<readonly Finding[]> => {
  const { ok, fail } = findingsOf('news');
  if (embedded) return [];
  if (await hears()) return [ok('Gateways hear of changes at once.')];
  return [
    fail(
      'What is sent through DATABASE_URL is not heard: let LISTEN_DATABASE_URL name the same database, not through a pooler in transaction mode. Until then a revoked key works for up to a second longer.',
    ),
  ];
};
