import type { Static } from 'typebox';
import Type from 'typebox';
import type { BulkStore, SavedCall } from '../../db/tables/saving.ts';
import { ok, refused } from '../../result.ts';
import { orNull } from '../../stored-json.ts';
import type { Caller, Parts, Timings } from '../parts.ts';
import type { Terms } from '../quality/graded.ts';
import { keyMismatch, notDrawnAgain } from '../refusals.ts';
import type { BulkItem, BulkRequest } from '../request/request.ts';
import { isRemote } from '../steps.ts';
import { readBalance, readRecord } from '../units.ts';
import { drawItems } from './draw-items.ts';
import {
  type BulkResult,
  type Entry,
  findLogos,
  type LinkRules,
  readyItems,
  toBulkResults,
} from './items.ts';

const OrNull = orNull(Type.String());

/** What is kept under the Idempotency-Key of a bulk call: a few bytes for each item instead of its picture. */
const BulkRecord = Type.Object({
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

/** The record of a bulk call. */
export type BulkRecord = Static<typeof BulkRecord>;

const LOGO_GONE: Entry = refused({
  error: 'image: the logo of the first call is no longer stored',
  cause: 'service',
});

const restoreLogo = async (
  parts: Parts & { readonly store: BulkStore },
  accountId: string,
  entry: Entry,
  sha256: string | null,
): Promise<Entry> => {
  if (!entry.ok || sha256 === null) return entry;
  if (!isRemote(entry.value.item.image)) return (await findLogos(parts, accountId, [entry]))[0]!;
  const logo = await parts.store.findLogo(accountId, sha256);
  return logo === null ? LOGO_GONE : ok({ ...entry.value, found: { logo, sha256 } });
};

/** What a replay needs, what it asks of the pictures, and where the time that they take is noted. */
type ReplayParts = Parts & { readonly store: BulkStore; readonly links: LinkRules };
type Wanted = { readonly terms: Terms; readonly timings: Timings };

/**
 * Draws the items of a bulk call again: the same request gives the same bytes. It uses the short links, and the logos by
 * URL, that were saved. An item that failed in the first call fails with the same error.
 */
const redrawItems = async (
  parts: ReplayParts,
  accountId: string,
  items: readonly BulkItem[],
  keptItems: BulkRecord['items'],
  { terms, timings }: Wanted,
): Promise<readonly BulkResult[]> => {
  const slugs = keptItems.map((kept) => (kept.ok ? kept.value.slug : null));
  const asThen = readyItems(items, parts.links, slugs).map((entry, index): Entry => {
    const kept = keptItems[index]!;
    return kept.ok ? entry : refused({ error: kept.fault, cause: 'item' });
  });
  const withLogos = await Promise.all(
    asThen.map((entry, index) => {
      const kept = keptItems[index]!;
      const sha256 = kept.ok ? kept.value.logo : null;
      return restoreLogo(parts, accountId, entry, sha256);
    }),
  );
  const drawn = await drawItems(parts, accountId, withLogos, terms, timings);
  const isLost = (entry: Entry) => !entry.ok && entry.fault.cause === 'service' && entry !== LOGO_GONE;
  if (drawn.some(isLost)) throw notDrawnAgain();
  const ids = keptItems.map((kept) => (kept.ok ? kept.value.id : null));
  return toBulkResults(drawn, ids);
};

/**
 * Returns the answer of the call that was saved under the caller's Idempotency-Key.
 *
 * @throws {AppError} 422 when that was another request, 503 when the ledger does not answer or when an item that was
 *   drawn in the first call cannot be drawn at the moment.
 */
export const replayCall = async (
  parts: ReplayParts,
  { items }: BulkRequest,
  { accountId, claim }: Caller,
  call: SavedCall,
  wanted: Wanted,
) => {
  if (call.bodyHash !== claim?.bodyHash) throw keyMismatch();
  const month = await readBalance(parts.quota, accountId);
  parts.freeWork.admit(accountId);
  const { items: kept, usageCount, remaining } = readRecord(BulkRecord, call.answer);
  const { timings } = wanted;
  const results = await redrawItems(parts, accountId, items, kept, wanted);
  parts.freeWork.spend(accountId, timings.drawnMs);
  return { results, usageCount, remaining, folderId: call.folderId, month, replayed: true, timings };
};
