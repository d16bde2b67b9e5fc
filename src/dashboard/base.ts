/** The path under which the gateway answers, with a slash at its end. It follows from the address of this script. */
export const BASE = new URL('../../', import.meta.url).pathname;

/** Returns the path of a screen; `path` is empty or begins with a slash. */
export const toScreenPath = (path = ''): string => `${BASE}dashboard${path}`;
