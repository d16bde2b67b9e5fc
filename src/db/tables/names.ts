/** Names of folders and codes, and tags, as they are stored and compared. */
import { ok, type Result, refused } from '../../result.ts';
import type { Sql } from '../client.ts';

const MAX_CHARACTERS = 200;

/**
 * Returns a folder name in its stored form: Unicode NFC, trimmed, 1 to 200 characters, no control characters.
 *
 * @returns The name, or what is wrong with it.
 */
export const toFolderName = (text: string): Result<string, string> => {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text)) {
    return refused('must be well-formed text without control characters');
  }
  const name = text.normalize('NFC').trim();
  const length = [...name].length;
  if (length < 1 || length > MAX_CHARACTERS) {
    return refused(`must have 1 to ${MAX_CHARACTERS} characters, not counting white space at its ends`);
  }
  return ok(name);
};

const RESTORED_MAX = 100;

/** Returns candidate names for a restored folder, the best first: `<name>`, `<name> (restored)` and so on. */
export const listRestoredNames = (name: string): readonly string[] => {
  const characters = [...name];
  const withEnding = (ending: string): string =>
    characters
      .slice(0, MAX_CHARACTERS - ending.length)
      .join('')
      .trimEnd() + ending;
  const numbered = Array.from({ length: RESTORED_MAX - 1 }, (_, i) => withEnding(` (restored ${i + 2})`));
  return [name, withEnding(' (restored)'), ...numbered];
};

/** Returns the default folder name for bulk calls and batches: `Bulk Import` and the UTC day. */
export const defaultFolderName = (now: Date): string => `Bulk Import ${now.toISOString().slice(0, 10)}`;

const KEY_MAX_CHARACTERS = 200;
const DIGITS = 10;

/** Returns the name of a code in its stored form, or what is wrong with it. The rules are those for folders. */
export const toCodeName = toFolderName;

/**
 * Returns the sort key of a name, at most 200 characters. Comparing keys character by character sorts names as people
 * expect: ignoring case and accents, and `Table 2` before `Table 10`.
 */
export const nameKey = (name: string): string => {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const padded = folded.replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(DIGITS, '0'));
  return [...padded].slice(0, KEY_MAX_CHARACTERS).join('');
};

/** Maximum number of tags per code. */
export const TAGS_MAX = 20;
/** Maximum length of a tag. */
export const TAG_MAX_CHARACTERS = 64;

/**
 * Returns a tag in its stored form: Unicode NFC, trimmed, 1 to 64 characters, no control characters. The fault text
 * completes a sentence that begins with the tag's location.
 */
export const toTag = (text: string): Result<string, string> => {
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    return refused('must be well-formed text without control characters');
  const tag = text.normalize('NFC').trim();
  const length = [...tag].length;
  if (length < 1 || length > TAG_MAX_CHARACTERS)
    return refused(`must have 1 to ${TAG_MAX_CHARACTERS} characters, not counting white space at its ends`);
  return ok(tag);
};

/** A tag that cannot be stored, and its index in the list; `null`: the fault concerns the whole list. */
interface TagFault {
  readonly place: number | null;
  readonly message: string;
}

/** Returns tags in their stored form, in order, or the first fault. */
export const toTags = (texts: readonly string[]): Result<readonly string[], TagFault> => {
  if (texts.length > TAGS_MAX)
    return refused({ place: null, message: `must have at most ${TAGS_MAX} items` });
  const tags = new Set<string>();
  for (const [place, text] of texts.entries()) {
    const tag = toTag(text);
    if (!tag.ok) return refused({ place, message: tag.fault });
    if (tags.has(tag.value)) return refused({ place, message: 'is there already; send each tag once' });
    tags.add(tag.value);
  }
  return ok([...tags]);
};

/** The condition that a live code has a tag, which uses an index. */
export const hasTag = (sql: Sql, accountId: string, tag: string) =>
  sql`tags is not null and tag_keys(account_id, tags) @> array[${`${accountId} ${tag}`}::text]`;

/**
 * Returns at most `limit` codes outside the bin that have a tag, in creation order.
 *
 * @param isDynamic Only those with a short link.
 */
export const listTagged = async (
  sql: Sql,
  accountId: string,
  tag: string,
  { limit, isDynamic = false }: { readonly limit: number; readonly isDynamic?: boolean },
): Promise<readonly { readonly id: string; readonly slug: string | null }[]> => sql<
  { id: string; slug: string | null }[]
>`
  select id, slug from live_codes
  where ${hasTag(sql, accountId, tag)} ${isDynamic ? sql`and slug is not null` : sql``}
  order by id limit ${limit}`;
