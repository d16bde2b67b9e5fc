import type { BulkStore } from '../../db/tables/bulk-store.ts';
import { ok, type Result, refused } from '../../result.ts';
import { isRemote } from '../logos.ts';
import type { Parts, Timings } from '../parts.ts';
import type { Terms } from '../quality/graded.ts';
import type { BulkItem } from '../request/request.ts';
import { drawItems } from './draw-items.ts';
import { type BulkResult, type Entry, findLogos, type LinkRules, readyAgain, toBulkResult } from './items.ts';
import { repairItems } from './repair-items.ts';

/** What is kept under the Idempotency-Key of a bulk call: a few bytes for each item instead of its picture. */
export interface BulkRecord {
  readonly kind: 'bulk';
  readonly folderId: string;
  readonly usageCount: number;
  readonly remaining: number;
  /** Slug and SHA-256 of the logo (hexadecimal), or the error. */
  readonly items: readonly Result<{ readonly slug: string | null; readonly logo: string | null }, string>[];
}

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

/**
 * Draws the items of a bulk call again for a replay: the same request gives the same bytes. It uses the short links,
 * and the logos by URL, that were saved. An item that failed in the first call fails with the same error.
 */
export const redrawItems = async (
  parts: Parts & { readonly store: BulkStore; readonly links: LinkRules },
  accountId: string,
  items: readonly BulkItem[],
  record: BulkRecord,
  { terms, timings }: { readonly terms: Terms; readonly timings: Timings },
): Promise<BulkResult[]> => {
  const slugs = record.items.map((kept) => (kept.ok ? kept.value.slug : null));
  const asThen = readyAgain(items, slugs, parts.links).map((entry, index): Entry => {
    const kept = record.items[index]!;
    return kept.ok ? entry : refused({ error: kept.fault, cause: 'item' });
  });
  const withLogos = await Promise.all(
    asThen.map((entry, index) => {
      const kept = record.items[index]!;
      const sha256 = kept.ok ? kept.value.logo : null;
      return restoreLogo(parts, accountId, entry, sha256);
    }),
  );
  const repaired = await repairItems(parts, accountId, withLogos, terms, timings);
  const drawn = await drawItems(parts, accountId, repaired, timings);
  return drawn.map(toBulkResult);
};
