/** The answer of a bulk call: its results, what is kept of them for a replay, and the replay. */
import type { Static } from 'typebox';
import Type from 'typebox';
import type { LinkDomain } from '../../db/tables/domains/served.ts';
import type { BulkStore, CodeIds, SavedCall } from '../../db/tables/saving.ts';
import type { Balance } from '../../quota/quota.ts';
import { ok, refused } from '../../result.ts';
import { orNull } from '../../stored-json.ts';
import { readBalance, readRecord } from '../paid-call.ts';
import type { Call, Caller, Parts, Timings } from '../parts.ts';
import { isRemote } from '../prepare.ts';
import type { Picture } from '../quality/graded.ts';
import { keyMismatch, notDrawnAgain } from '../refusals.ts';
import type { BulkRequest } from '../request/request.ts';
import { type LinkRules, linksOn } from '../slugs.ts';
import { drawItems } from './draw-items.ts';
import { type Entry, pictureOf, readyItems, refuseItem } from './items.ts';

/** The answer for one item. */
export type BulkResult =
  | ({
      readonly success: true;
      readonly id: string;
      readonly slug: string | null;
      readonly shortUrl: string | null;
      readonly repaired: string;
    } & Picture)
  | { readonly success: false; readonly error: string };

/** The answer to a bulk call: one result for each item, in the order of the request. */
export interface BulkAnswer {
  readonly results: readonly BulkResult[];
  readonly usageCount: number;
  readonly remaining: number;
  readonly folderId: string;
  /** The balance now. `usageCount` and `remaining` above are those right after the call, also in a replay. */
  readonly month: Balance;
  readonly replayed: boolean;
  readonly timings: Timings;
}

/** Returns the answers for items that are drawn or have failed. @param ids Those of the codes of drawn items. */
export const toBulkResults = (entries: readonly Entry[], ids: CodeIds): readonly BulkResult[] =>
  entries.map((entry, index) => {
    if (!entry.ok) return { success: false, error: entry.fault.error };
    const { slug, text, repaired } = entry.value;
    const shortUrl = slug === null ? null : text;
    return { success: true, id: ids.get(index)!, slug, shortUrl, repaired, ...pictureOf(entry.value) };
  });

const OrNull = orNull(Type.String());

/** What is kept under the Idempotency-Key of a bulk call: a few bytes for each item instead of its picture. */
const BulkRecord = Type.Object({
  /** The domain of its short links; null: the shared one. */
  domain: orNull(Type.Object({ id: Type.String(), place: Type.String() })),
  usageCount: Type.Integer(),
  remaining: Type.Integer(),
  /** The id of the code, its slug and the SHA-256 of its logo (hexadecimal), or the error. */
  items: Type.Array(
    Type.Union([
      Type.Object({
        ok: Type.Literal(true),
        value: Type.Object({ id: Type.String(), slug: OrNull, logo: OrNull }),
      }),
      Type.Object({ ok: Type.Literal(false), fault: Type.String() }),
    ]),
  ),
});

/** Returns what is kept of a bulk call whose codes are saved. */
export const writeRecord = (
  entries: readonly Entry[],
  ids: CodeIds,
  { usageCount, remaining }: Balance,
  domain: LinkDomain | null,
): string => {
  const items = entries.map((entry, index) =>
    entry.ok
      ? ok({ id: ids.get(index)!, slug: entry.value.slug, logo: entry.value.found?.sha256 ?? null })
      : refused(entry.fault.error),
  );
  const at = domain && { id: domain.id, place: domain.place };
  return JSON.stringify({ domain: at, usageCount, remaining, items } satisfies Static<typeof BulkRecord>);
};

const LOGO_GONE = refuseItem('image: the logo of the first call is no longer stored', 'service');

/**
 * Returns the answer of the call that was saved under the Idempotency-Key. Its items are drawn again: the same request
 * gives the same bytes, with the short links, and the logos by URL, that were saved. An item that failed in the first
 * call fails with the same error.
 *
 * @throws {AppError} 422 when that was another request, 503 when the ledger does not answer or when an item that was
 *   drawn in the first call cannot be drawn at the moment.
 */
export const replayBulk = async (
  parts: Parts & { readonly store: BulkStore; readonly links: LinkRules },
  { items }: BulkRequest,
  call: Caller & Call,
  saved: SavedCall,
): Promise<BulkAnswer> => {
  const { accountId, claim, timings } = call;
  if (saved.bodyHash !== claim?.bodyHash) throw keyMismatch();
  const month = await readBalance(parts.quota, accountId);
  parts.freeWork.admit(accountId);
  const { domain, items: kept, usageCount, remaining } = readRecord(BulkRecord, saved.answer);
  const slugs = kept.map((item) => (item.ok ? item.value.slug : null));
  const asThen = await Promise.all(
    readyItems(items, linksOn(parts.links, domain), slugs).map(async (entry, index): Promise<Entry> => {
      const item = kept[index]!;
      if (!item.ok) return refuseItem(item.fault);
      const sha256 = item.value.logo;
      if (!entry.ok || sha256 === null || !isRemote(entry.value.item.image)) return entry;
      const logo = await parts.store.findLogo(accountId, sha256);
      return logo === null ? LOGO_GONE : ok({ ...entry.value, found: { logo, sha256 } });
    }),
  );
  const drawn = await drawItems(parts, call, asThen);
  const isLost = (entry: Entry) => !entry.ok && entry.fault.cause === 'service' && entry !== LOGO_GONE;
  if (drawn.some(isLost)) throw notDrawnAgain();
  parts.freeWork.spend(accountId, timings.drawnMs);
  const ids = new Map(kept.flatMap((item, index) => (item.ok ? [[index, item.value.id]] : [])));
  const results = toBulkResults(drawn, ids);
  return { results, usageCount, remaining, folderId: saved.folderId, month, replayed: true, timings };
};
