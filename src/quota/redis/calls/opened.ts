import type { Opened } from '../replies.ts';

/** What this gateway's open reservations took, in case Redis loses them. */
export interface Memory {
  keep(id: string, opened: Opened): void;
  /** Returns what a reservation took; `null` when it is not known. */
  find(id: string): Opened | null;
  forget(id: string): void;
}

/**
 * As many as settlements may wait. Of older ones it is no longer known what they took, and they expire if Redis loses
 * them.
 */
const ENTRIES_MAX = 50_000;

/** Creates an empty memory. */
export const createMemory = (): Memory => {
  const kept = new Map<string, Opened>();
  return {
    keep(id, opened) {
      const oldest = kept.size >= ENTRIES_MAX ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(id, opened);
    },
    find: (id) => kept.get(id) ?? null,
    forget: (id) => void kept.delete(id),
  };
};
