/** The items of a bulk call: what is known of each, and checking and planning them. */
import type { RenderPlan } from '../../../workers/plan.ts';
import type { Design } from '../../../workers/protocol.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import { ok, type Refused, type Result, refused } from '../../result.ts';
import { planPicture } from '../plan.ts';
import type { Picture } from '../quality/graded.ts';
import { inWords } from '../refusals.ts';
import { toDesign } from '../request/design.ts';
import { findDynamicGs1Fault } from '../request/gs1.ts';
import { DATA_MAX_CHARACTERS } from '../request/picture-options.ts';
import type { BulkItem } from '../request/request.ts';
import type { DomainLinkRules } from '../slugs.ts';

/** An item that has not failed, and what is known about it so far. */
export interface Ready {
  readonly item: BulkItem;
  /** What the caller sent: saved as the code's content. */
  readonly content: string;
  /** What the symbol encodes: the content, or the short link of a dynamic item. */
  readonly text: string;
  /** `null` when the item is not dynamic. */
  readonly slug: string | null;
  /** Where the short link leads; `null` when the item is not dynamic. */
  readonly destination: string | null;
  readonly design: Design;
  /** That of this text and design without the logo. Absent: there is none yet. */
  readonly plan?: RenderPlan;
  /** What a repair changed in the design, as the header `Tessera-Repaired` has it; '' when nothing was changed. */
  readonly repaired: string;
  /** `null` when the item has no logo, and until its logo is found. */
  readonly found: FoundLogo | null;
  /** Milliseconds of a render thread: estimated, until it is drawn. */
  readonly threadMs: number;
  /** `null` until drawn. */
  readonly picture: Picture | null;
}

/** Why an item has no picture. */
export interface Failed {
  readonly error: string;
  /**
   * `item` or `service`: which of them is at fault. `grade`: the picture could be made, but is below the grade that the
   * call asks for.
   */
  readonly cause: 'item' | 'service' | 'grade';
}

/** An item that continues, or why it failed. */
export type Entry = Result<Ready, Failed>;

/** Returns the picture of an item that is drawn. */
export const pictureOf = ({ picture }: Ready): Picture => {
  if (picture === null) throw new Error('an item that has not failed was not drawn');
  return picture;
};

/** Returns the entry of an item that has failed. */
export const refuseItem = (error: string, cause: Failed['cause'] = 'item'): Refused<Failed> =>
  refused({ error, cause });

/** Returns the content when it is text of at most 4296 characters that are not all white space; else `null`. */
const usableContent = (data: unknown): string | null => {
  // Lengths count UTF-16 units, as everywhere. A text that is too long only in these units fits no QR code either.
  if (typeof data !== 'string' || data.length > DATA_MAX_CHARACTERS) return null;
  return data.trim() === '' ? null : data;
};

const readyItem = (item: BulkItem, links: DomainLinkRules, known: string | null): Entry => {
  const content = usableContent(item.data);
  if (content === null) return refuseItem('Missing or invalid data');
  const destination = item.dynamic ? links.checkDestination(content) : null;
  if (destination?.ok === false) return refuseItem(`data: ${destination.fault}`);
  const slug = destination === null ? null : (known ?? links.createSlug());
  const text = slug === null ? content : links.shortUrl(slug);
  const design = toDesign(item);
  const gs1Fault = slug === null ? null : findDynamicGs1Fault(design.symbol);
  if (gs1Fault !== null) return refuseItem(inWords(gs1Fault));
  const plan = planPicture(text, design, null);
  if (!plan.ok) return refuseItem(inWords(plan.fault));
  return ok({
    item,
    content,
    text,
    slug,
    destination: destination?.value ?? null,
    design,
    plan: plan.value,
    repaired: '',
    found: null,
    threadMs: plan.value.estimatedMs,
    picture: null,
  });
};

/**
 * Checks and plans each item without its logo. It does not fetch, decode or draw anything.
 *
 * @param slugs Those under which a call was saved, by item; `null` and absent: a dynamic item gets a new one.
 */
export const readyItems = (
  items: readonly BulkItem[],
  links: DomainLinkRules,
  slugs: readonly (string | null)[] = [],
): Entry[] => items.map((item, index) => readyItem(item, links, slugs[index] ?? null));

/**
 * Gives a new slug to each item whose slug is taken. Its picture, plan and repair are dropped, because they are those of
 * the old short link.
 */
export const renewSlugs = (
  entries: readonly Entry[],
  taken: ReadonlySet<string>,
  links: DomainLinkRules,
): readonly Entry[] =>
  entries.map((entry) => {
    if (!entry.ok || entry.value.slug === null || !taken.has(entry.value.slug)) return entry;
    const { plan: _, ...item } = entry.value;
    const slug = links.createSlug();
    const text = links.shortUrl(slug);
    return ok({ ...item, slug, text, design: toDesign(item.item), repaired: '', picture: null });
  });
