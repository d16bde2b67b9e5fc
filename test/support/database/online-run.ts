import { connectServer } from '../../../src/db/client.ts';
import type { OnlineRun } from '../../../src/db/migrations/online.ts';
import { openSession, sessionBounds } from '../../../src/db/migrations/session.ts';

/** How tests and drills run online migrations on a server. */
export const onlineRun = (url: string, options: Partial<OnlineRun> = {}): OnlineRun => ({
  open: () => openSession((hooks) => connectServer(url, sessionBounds(0), hooks)),
  patienceMs: 120_000,
  tell: () => {},
  ...options,
});
