/** How long a place stays empty after its process died. */

/** A process that lived for so long starts a new count of deaths. */
const LONG_LIFE_MS = 60_000;
const FIRST_MS = 100;
const LONGEST_MS = 30_000;

/** Counts deaths in a row. @param before Deaths in a row before this one. @param livedMs How long the process lived. */
export const countDeaths = (before: number, livedMs: number): number =>
  livedMs >= LONG_LIFE_MS ? 1 : before + 1;

/**
 * Returns the pause before the next start: 0.1 s after the first death, twice as long after each further one, 30 s at
 * most.
 */
export const pauseMs = (deaths: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** (deaths - 1));
