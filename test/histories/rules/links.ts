/**
 * Links: redirects of the same gateway follow an edit of the link or of its rule set, those of the other one within a
 * second, and edits are kept.
 */
import type { History } from '../history.ts';
import { contentOf } from '../operations.ts';
import { type CallOf, callsOf, faultsIn, groupBy, isOk, type Violation } from './rule.ts';

interface Write {
  readonly slug: string;
  /** `null`: of an undo, anything but what it undoes. */
  readonly destination: string | null;
  readonly undone: string | null;
  readonly gateway: number;
  readonly beginMs: number;
  /** Infinite for an edit that was not acknowledged: it may take effect later, or never. */
  readonly endMs: number;
  readonly call: CallOf<'edit' | 'undo' | 'bulk'>;
}

const timesOf = (call: CallOf<'edit' | 'undo'>) => ({
  gateway: call.gateway,
  beginMs: call.beginMs,
  endMs: isOk(call) ? call.endMs : Number.POSITIVE_INFINITY,
});

const edits = (history: History): Write[] =>
  callsOf(history, 'edit').flatMap((call) => {
    const { slugs, destination } = call.operation;
    return slugs.map((slug) => ({ slug, destination, undone: null, ...timesOf(call), call }));
  });

const undos = (history: History): Write[] =>
  callsOf(history, 'undo').map((call) => {
    const { slug, undone } = call.operation;
    return { slug, destination: null, undone, ...timesOf(call), call };
  });

const births = (history: History): Write[] =>
  callsOf(history, 'bulk').flatMap((call) =>
    (call.answer?.slugs ?? []).flatMap((slug, index) => {
      const { gateway, beginMs, endMs, operation } = call;
      return slug === null
        ? []
        : [{ slug, destination: contentOf(operation, index), undone: null, gateway, beginMs, endMs, call }];
    }),
  );

/** Another gateway follows an edit within this time: docs/api/links.md. */
const FOLLOW_MS = 1000;
/** After a fault a gateway may miss notifications for this long; it notices after 2.5 s. */
const NEWS_MS = 4000;

/** Whether a gateway received notifications and could reach Postgres for a while before and during a call. */
const hasNews = (history: History, { gateway, beginMs, endMs }: CallOf<'visit'>): boolean =>
  !faultsIn(history, beginMs - NEWS_MS, endMs).some(
    ({ blow }) => blow.gateways.includes(gateway) && !('store' in blow && blow.store === 'redis'),
  );

/** Returns the latest write that a read must reflect, if it reflects an earlier one. */
const overlooked = (
  writes: readonly Write[],
  destination: string | null,
  isKnown: (write: Write) => boolean,
): Write | 'nobody wrote it' | null => {
  if (!writes.some((write) => write.destination === destination)) return 'nobody wrote it';
  const shown = writes.filter(
    (write) => (write.destination ?? destination) === destination && write.undone !== destination,
  );
  const shownMs = Math.max(...shown.map(({ endMs }) => endMs));
  return writes.find((write) => isKnown(write) && write.beginMs > shownMs) ?? null;
};

/** Checks what redirects show. */
export const checkVisits = (history: History): Violation[] => {
  const bySlug = groupBy([...births(history), ...edits(history), ...undos(history)], ({ slug }) => slug);
  return callsOf(history, 'visit').flatMap((visit): Violation[] => {
    if (!isOk(visit)) return [];
    const { gateway, beginMs, endMs, operation, answer } = visit;
    const writes = (bySlug.get(operation.slug) ?? []).filter((write) => write.beginMs <= endMs);
    const knows = hasNews(history, visit);
    const missed = overlooked(writes, answer!.names, (write) => {
      const lagMs = write.gateway === gateway ? 0 : FOLLOW_MS + history.slackMs;
      return knows && write.endMs + lagMs < beginMs;
    });
    if (missed === null) return [];
    if (missed === 'nobody wrote it')
      return [{ rule: 'redirects', what: `it leads to ${answer!.names}, which ${missed}`, calls: [visit] }];
    const where = missed.gateway === gateway ? 'the same gateway' : 'another gateway';
    const what = `it is outdated ${Math.round(beginMs - missed.endMs)} ms after an edit by ${where}`;
    const calls = [...writes.filter(({ destination }) => destination === answer!.names), missed].map(
      ({ call }) => call,
    );
    return [{ rule: 'redirects', what, calls: [...calls, visit] }];
  });
};

/** Checks that edits are kept. */
export const checkEdits = (history: History): Violation[] => {
  const bySlug = groupBy(edits(history), ({ slug }) => slug);
  const undone = groupBy(undos(history), ({ slug }) => slug);
  const born = groupBy(births(history), ({ slug }) => slug);
  const { links, domains } = history.final;
  return [...links, ...domains.map((domain) => ({ ...domain, past: null }))].flatMap((link): Violation[] => {
    const edited = bySlug.get(link.slug) ?? [];
    const restored = undone.get(link.slug) ?? [];
    const writes = [...(born.get(link.slug) ?? []), ...edited, ...restored];
    if (writes.length === 0) return [];
    const missed = overlooked(writes, link.destination, ({ endMs }) => Number.isFinite(endMs));
    const lost = edited.filter(({ endMs, destination }) => {
      // Domains have no history.
      if (link.past === null) return false;
      const times = link.past.filter((past) => past === destination).length;
      // An undo may have brought it back.
      return Number.isFinite(endMs) && times !== 1 && (times === 0 || restored.length === 0);
    });
    const calls = [
      ...new Set([...(missed !== null && missed !== 'nobody wrote it' ? [missed] : []), ...lost]),
    ];
    if (missed === null && calls.length === 0) return [];
    return [{ rule: 'edits', what: `${link.slug} lost an edit`, calls: calls.map(({ call }) => call) }];
  });
};
