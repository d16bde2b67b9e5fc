import type { Log } from '../../src/log.ts';

export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
