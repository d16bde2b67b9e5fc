/** What searches compare with the texts of codes, and how their indexes are asked. */
import type { Sql } from '../../client.ts';
import { replaceNul, toLikePattern } from '../../statements.ts';
import type { Fragment } from './look-up.ts';

/** Returns both forms of a search text: content is stored as sent, but names in NFC. */
export const formsOf = (search: string): readonly string[] => [
  ...new Set([replaceNul(search), replaceNul(search.normalize('NFC'))]),
];

/** Whether a search text may be a slug that was generated (src/links/slug.ts). */
const isGeneratedSlug = (search: string): boolean => /^[0-9A-Za-z]{8}$/.test(search);

/**
 * The condition that uses the text index and, for a text that may be one, that of generated slugs. Grams contain only
 * part of the account's id, and slugs nothing of it; the folders settle the rest.
 */
export const isInIndex = (sql: Sql, accountId: string, search: string): Fragment => {
  const grams = formsOf(search).map(
    (form) => sql`search_grams(account_id, code_text(content, name, leads_to, own_slugs, external_id, tags))
      @> search_grams(${accountId}, ${form})`,
  );
  const [one = sql`false`, other] = isGeneratedSlug(search) ? [...grams, sql`slug = ${search}`] : grams;
  return other === undefined ? one : sql`(${one} or ${other})`;
};

/**
 * The condition that one of the chosen slugs of a code `c` includes a text, or that its generated one is the text. The
 * chosen slugs are stored joined by spaces.
 */
const hasSlug = (sql: Sql, search: string): Fragment => {
  if (replaceNul(search).includes(' ')) return sql`false`;
  const isOwn = sql`c.own_slugs ilike ${toLikePattern(search)}`;
  return isGeneratedSlug(search) ? sql`${isOwn} or c.slug = ${search}` : isOwn;
};

/** The condition that a code `c` is found by a text. What the application stores in NFC is compared in NFC. */
export const isFound = (sql: Sql, search: string): Fragment => {
  const asSent = toLikePattern(search);
  const inNfc = toLikePattern(search.normalize('NFC'));
  return sql`(
    searchable(c.content) ilike ${asSent} or c.leads_to ilike ${asSent} or c.name ilike ${inNfc}
    or c.external_id ilike ${asSent} or exists (select from unnest(c.tags) as tag where tag ilike ${inNfc})
    or ${hasSlug(sql, search)})`;
};
