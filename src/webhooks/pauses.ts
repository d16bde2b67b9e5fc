/** Backoff after failed attempts. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After each try of a delivery; the last one repeats. */
const PAUSES_MS: readonly number[] = [
  5000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/** Jitter: at most a tenth is added at random, so that deliveries that failed together are not retried together. */
const SPREAD = 0.1;

/** Returns the pause of a delivery after this many tries. */
export const pauseOfDelivery = (tries: number, chance: number = Math.random()): number =>
  Math.round((PAUSES_MS[tries - 1] ?? PAUSES_MS.at(-1)!) * (1 + SPREAD * chance));

/** Failures in a row that say nothing about the address: the deliveries themselves may be at fault. */
const FAILURES_SPARED = 2;
const ADDRESS_PAUSE_MAX_MS = 5 * MINUTE_MS;

/** Returns the pause of an address after this many failed deliveries in a row, whichever they were. */
export const pauseOfAddress = (failures: number): number =>
  failures <= FAILURES_SPARED
    ? 0
    : Math.min(ADDRESS_PAUSE_MAX_MS, 1000 * 2 ** Math.min(failures - FAILURES_SPARED, 16));
