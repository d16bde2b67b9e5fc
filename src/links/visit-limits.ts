import { LRUCache } from 'lru-cache';
import type { ScanRow } from '../db/tables/scans/scans.ts';

interface Count {
  /** People whom the link has led, as far as this gateway knows. */
  people: number;
  /** Of these, those whose scans are not in the database yet. */
  pending: number;
  /** Writes of its scans that have begun, and that are under way. */
  begun: number;
  running: number;
}

/** Counts the visits to links with a limit. */
export type VisitLimits = ReturnType<typeof createVisitLimits>;

/**
 * Counts the visits to the last `max` links with a limit: what the database has counted, with the scans of this gateway
 * that it does not have yet. So a gateway never leads more people than the limit, but for those whom others have led since
 * it last asked.
 */
export const createVisitLimits = (max: number) => {
  const counts = new LRUCache<string, Count>({ max });
  const firstSlugs = new LRUCache<string, string>({ max });

  const countsOf = (rows: readonly ScanRow[]): readonly Count[] =>
    counts.size === 0
      ? []
      : rows.flatMap(({ slug, kind }) => (kind === 'person' ? (counts.peek(slug) ?? []) : []));

  return {
    /**
     * Call it before the database is asked for a slug. The function that it returns takes the answer.
     *
     * @param isBehind Whether the answer may be behind: what this gateway knows then counts.
     */
    asking(slug: string, isBehind: boolean): (firstSlug: string, people: number) => void {
      const before = counts.peek(firstSlugs.get(slug) ?? slug);
      const begun = before?.running === 0 && !isBehind ? before.begun : Number.NaN;
      return (firstSlug, people) => {
        firstSlugs.set(slug, firstSlug);
        const count = counts.get(firstSlug);
        if (count === undefined) counts.set(firstSlug, { people, pending: 0, begun: 0, running: 0 });
        // While scans are being written, nobody knows which of them the answer has: the next one will tell.
        else if (count === before && count.begun === begun) count.people = people + count.pending;
      };
    },
    /** Whether the link has led as many people as it may. @param people As last asked. */
    isReached: (firstSlug: string, limit: number, people: number): boolean =>
      (counts.get(firstSlug)?.people ?? people) >= limit,
    /** Counts a person whom the link leads, whose scan is then recorded. */
    note(firstSlug: string): void {
      const count = counts.get(firstSlug);
      if (count === undefined) return;
      count.people += 1;
      count.pending += 1;
    },
    /** Writes scans, and counts those of people as written. Passes errors on. */
    async writing<T>(rows: readonly ScanRow[], write: () => Promise<T>): Promise<T> {
      const written = countsOf(rows);
      for (const count of written) {
        count.begun += 1;
        count.running += 1;
      }
      try {
        const result = await write();
        for (const count of written) count.pending = Math.max(0, count.pending - 1);
        return result;
      } finally {
        for (const count of written) count.running -= 1;
      }
    },
  };
};
