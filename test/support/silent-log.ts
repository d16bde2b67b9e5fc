import type { Log } from '../../src/log.ts';

/** A log that drops every line. */
export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
