import type { Log } from '../../src/db/client.ts';

export const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };
