/** The steps of a batch, one function each. An item that fails keeps its place among the others. */

import type { Design, Fault } from '../../../workers/protocol.ts';
import type { NewCode } from '../../db/tables/codes.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import type { RenderOutcome } from '../../render/outcome.ts';
import { isOk, type Ok, ok, type Refused, type Result, refused } from '../../result.ts';
import { FAILURES, overloaded } from '../drawing.ts';
import type { Parts, Timings } from '../parts.ts';
import { toDesign } from '../request/design.ts';
import { DATA_MAX_CHARACTERS } from '../request/picture-options.ts';
import type { BulkItem } from '../request/request.ts';
import { type PlannedTask, planPicture, planTask } from '../task.ts';

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
  /** `null` when the item has no logo, and until its logo is found. */
  readonly found: FoundLogo | null;
  /** Milliseconds of a render thread. */
  readonly estimatedMs: number;
  /** Empty until drawn. */
  readonly png: Uint8Array;
}

/** Why an item has no picture. */
export interface Failed {
  readonly error: string;
  /** True when the service is at fault, false when the item is. */
  readonly ours: boolean;
}

/** An item that goes on, or why it failed. */
export type Entry = Result<Ready, Failed>;

/** The answer for one item. */
export type BulkResult =
  | { readonly success: true; readonly png: Uint8Array; readonly slug: string | null }
  | { readonly success: false; readonly error: string };

/** Returns what is saved of a drawn item. @param position Its place among the saved codes of its batch. */
export const toNewCode = (
  { content, slug, destination, design, found }: Ready,
  position: number,
): NewCode => ({
  position,
  content,
  link: slug === null || destination === null ? null : { slug, destination },
  design,
  logo: found === null ? null : { ...found.logo, sha256: Buffer.from(found.sha256, 'hex') },
});

/** Returns the answer for an item that is drawn or has failed. */
export const toBulkResult = (entry: Entry): BulkResult =>
  entry.ok
    ? { success: true, png: entry.value.png, slug: entry.value.slug }
    : { success: false, error: entry.fault.error };

/** What dynamic items need to know about short links. */
export interface LinkRules {
  /** Returns a new random slug, which may be taken already. */
  createSlug(): string;
  shortUrl(slug: string): string;
  /** Returns the URL as the WHATWG URL standard writes it, or what is wrong with it. */
  checkDestination(url: string): Result<string, string>;
}

const NOT_DRAWN = new Uint8Array(0);
const failed = (error: string, ours = false): Refused<Failed> => refused({ error, ours });

/** Returns the content when it is text of at most 4296 characters that are not all white space; else `null`. */
const usableContent = (data: unknown): string | null => {
  // Lengths count UTF-16 units, as everywhere. A text that is too long only in these units fits no QR code either.
  if (typeof data !== 'string' || data.length > DATA_MAX_CHARACTERS) return null;
  return data.trim() === '' ? null : data;
};

const inWords = ({ field, message }: Fault): string => `${field}: ${message}`;

const readyItem = (item: BulkItem, links: LinkRules, slugOf = links.createSlug): Entry => {
  const content = usableContent(item.data);
  if (content === null) return failed('Missing or invalid data');
  const destination = item.dynamic ? links.checkDestination(content) : null;
  if (destination?.ok === false) return failed(`data: ${destination.fault}`);
  const slug = destination === null ? null : slugOf();
  const text = slug === null ? content : links.shortUrl(slug);
  const design = toDesign(item);
  const plan = planPicture(text, design, null);
  if (!plan.ok) return failed(inWords(plan.fault));
  return ok({
    item,
    content,
    text,
    slug,
    destination: destination?.value ?? null,
    design,
    found: null,
    estimatedMs: plan.value.estimatedMs,
    png: NOT_DRAWN,
  });
};

/** Checks and plans each item without its logo. Fetches, decodes and draws nothing. */
export const readyItems = (items: readonly BulkItem[], links: LinkRules): Entry[] =>
  items.map((item) => readyItem(item, links));

/** Does the same, but gives dynamic items the slugs under which a batch was saved. */
export const readyAgain = (
  items: readonly BulkItem[],
  slugs: readonly (string | null)[],
  links: LinkRules,
): Entry[] => items.map((item, index) => readyItem(item, links, () => slugs[index] ?? links.createSlug()));

/** Adds the logo to each item that names one. A logo that several items share is fetched and decoded once. */
export const findLogos = (parts: Parts, accountId: string, entries: readonly Entry[]): Promise<Entry[]> =>
  Promise.all(
    entries.map(async (entry) => {
      if (!entry.ok || entry.value.item.image === undefined) return entry;
      const found = await parts.logos.resolve(entry.value.item.image, { accountId });
      if (!found.ok) return failed(inWords(found.fault), found.fault.stage === 'busy');
      return ok({ ...entry.value, found: found.value });
    }),
  );

type Planned = { readonly entry: Ready } & PlannedTask;

const planItem = async (parts: Parts, entry: Ready): Promise<Result<Planned, Failed>> => {
  const planned = await planTask(parts.fitLogo, { ...entry, format: 'png' });
  return planned.ok ? ok({ entry, ...planned.value }) : failed(inWords(planned.fault));
};

const drawn = (entry: Ready, outcome: RenderOutcome): Entry => {
  if (outcome.ok) return ok({ ...entry, png: outcome.value.bytes });
  const { fault } = outcome;
  return fault.reason === 'unfit' ? failed(inWords(fault.fault)) : failed(FAILURES[fault.reason], true);
};

const foundNoRoom = (outcome: RenderOutcome): boolean => !outcome.ok && outcome.fault.reason === 'queue_full';

const needsDrawing = (entry: Entry): entry is Ok<Ready> => entry.ok && entry.value.png.length === 0;

/**
 * Draws every item that has neither failed nor been drawn. Adds what that took to `timings`.
 *
 * @throws {AppError} 503 when the render queue has no room for any of them.
 */
export const drawItems = async (
  parts: Parts,
  accountId: string,
  entries: readonly Entry[],
  timings: Timings,
): Promise<Entry[]> => {
  const planned = await Promise.all(
    entries.map((entry) => (needsDrawing(entry) ? planItem(parts, entry.value) : null)),
  );
  const waiting = planned
    .filter((item) => item !== null)
    .filter(isOk)
    .map(({ value }) => value);
  const run = await parts.pool.render({
    tasks: waiting.map(({ task }) => task),
    estimatedMs: waiting.map(({ estimatedMs }) => estimatedMs),
    accountId,
    kind: 'bulk',
    deadlineMs: Date.now() + parts.deadlineMs,
  });
  timings.queueMs += run.queueMs;
  timings.renderMs += run.renderMs;
  if (run.renderMs > 0) for (const { estimatedMs } of waiting) timings.drawnMs += estimatedMs;
  // The whole batch found no room: that is a 503, not a hundred failed items.
  if (waiting.length > 0 && run.outcomes.every(foundNoRoom)) throw overloaded('queue_full', parts.pool);

  const outcomes = new Map(waiting.map(({ entry }, index) => [entry, run.outcomes[index]!]));
  return entries.map((entry, index) => {
    const item = planned[index] ?? null;
    if (item === null) return entry;
    return item.ok ? drawn(item.value.entry, outcomes.get(item.value.entry)!) : item;
  });
};

/** Gives a new slug to each item whose slug is taken. Its picture is dropped, because it shows the old short link. */
export const renewSlugs = (
  entries: readonly Entry[],
  taken: ReadonlySet<string>,
  links: LinkRules,
): Entry[] =>
  entries.map((entry) => {
    if (!entry.ok || entry.value.slug === null || !taken.has(entry.value.slug)) return entry;
    const slug = links.createSlug();
    return ok({ ...entry.value, slug, text: links.shortUrl(slug), png: NOT_DRAWN });
  });
