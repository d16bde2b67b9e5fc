/** Time zones, apart from `format.ts` because the first screen needs none. */

/** The reader's own. */
export const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** All of them, the reader's first. */
export const ZONES: readonly string[] = [...new Set([HERE, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
