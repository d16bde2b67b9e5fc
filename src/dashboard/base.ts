/** Path below which the gateway answers, with a slash at its end: where this very script was loaded from tells. */
export const BASE = new URL('../../', import.meta.url).pathname;

/** Path of a screen. */
export const screen = (path = ''): string => `${BASE}dashboard${path}`;
