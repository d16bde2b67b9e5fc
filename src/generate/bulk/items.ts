/** The steps of a bulk call, one function each. An item that fails keeps its place among the others. */
import type { RenderPlan } from '../../../workers/plan.ts';
import type { Design } from '../../../workers/protocol.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import { ok, type Refused, type Result, refused } from '../../result.ts';
import type { Parts } from '../parts.ts';
import type { Picture } from '../quality/graded.ts';
import { inWords } from '../refusals.ts';
import { toDesign } from '../request/design.ts';
import { findDynamicGs1Fault } from '../request/gs1.ts';
import { DATA_MAX_CHARACTERS } from '../request/picture-options.ts';
import type { BulkItem } from '../request/request.ts';
import { planPicture } from '../task.ts';

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

/** The answer for one item. */
export type BulkResult =
  | ({
      readonly success: true;
      readonly id: string;
      readonly slug: string | null;
      readonly repaired: string;
    } & Picture)
  | { readonly success: false; readonly error: string };

/** Returns the picture of an item that is drawn. */
export const pictureOf = ({ picture }: Ready): Picture => {
  if (picture === null) throw new Error('an item that has not failed was not drawn');
  return picture;
};

/** Returns the answers for items that are drawn or have failed. @param ids Those of the codes of drawn items. */
export const toBulkResults = (
  entries: readonly Entry[],
  ids: readonly (string | null)[],
): readonly BulkResult[] =>
  entries.map((entry, index) => {
    if (!entry.ok) return { success: false, error: entry.fault.error };
    const { slug, repaired } = entry.value;
    return { success: true, id: ids[index]!, slug, repaired, ...pictureOf(entry.value) };
  });

/** What dynamic items need to know about short links. */
export interface LinkRules {
  /** Returns a new random slug, which may be taken already. */
  createSlug(): string;
  shortUrl(slug: string): string;
  /** Returns the URL as the WHATWG URL standard writes it, or what is wrong with it. */
  checkDestination(url: string): Result<string, string>;
}

/** Returns the entry of an item that has failed. */
export const refuseItem = (error: string, cause: Failed['cause'] = 'item'): Refused<Failed> =>
  refused({ error, cause });

/** Returns the content when it is text of at most 4296 characters that are not all white space; else `null`. */
const usableContent = (data: unknown): string | null => {
  // Lengths count UTF-16 units, as everywhere. A text that is too long only in these units fits no QR code either.
  if (typeof data !== 'string' || data.length > DATA_MAX_CHARACTERS) return null;
  return data.trim() === '' ? null : data;
};

const readyItem = (item: BulkItem, links: LinkRules, known: string | null): Entry => {
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
  links: LinkRules,
  slugs: readonly (string | null)[] = [],
): Entry[] => items.map((item, index) => readyItem(item, links, slugs[index] ?? null));

/**
 * Adds the logo to each item that names one. A logo that several items share is fetched and decoded once.
 *
 * @param isFree The call costs no units, so logos count as free work even when they can be used.
 */
export const findLogos = (
  parts: Pick<Parts, 'logos'>,
  accountId: string,
  entries: readonly Entry[],
  isFree = false,
): Promise<Entry[]> =>
  Promise.all(
    entries.map(async (entry) => {
      if (!entry.ok || entry.value.item.image === undefined) return entry;
      const found = await parts.logos.resolve(entry.value.item.image, { accountId, isFree });
      if (!found.ok)
        return refuseItem(inWords(found.fault), found.fault.stage === 'busy' ? 'service' : 'item');
      return ok({ ...entry.value, found: found.value });
    }),
  );

/**
 * Gives a new slug to each item whose slug is taken. Its picture, plan and repair are dropped, because they are those of
 * the old short link.
 */
export const renewSlugs = (
  entries: readonly Entry[],
  taken: ReadonlySet<string>,
  links: LinkRules,
): readonly Entry[] =>
  entries.map((entry) => {
    if (!entry.ok || entry.value.slug === null || !taken.has(entry.value.slug)) return entry;
    const { plan: _, ...item } = entry.value;
    const slug = links.createSlug();
    const text = links.shortUrl(slug);
    return ok({ ...item, slug, text, design: toDesign(item.item), repaired: '', picture: null });
  });
