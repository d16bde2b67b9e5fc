import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type DataUri, decodeBase64 } from './data-uri.ts';
import { createFairLimiter } from './fair-limiter.ts';
import type { Normaliser } from './normalise.ts';
import { BUSY, type LogoOutcome } from './outcome.ts';

interface Request {
  readonly uri: DataUri;
  readonly accountId: string;
  readonly isFree: boolean;
}

/** Hashing two megabytes takes milliseconds, so logos are hashed one by one, each in a turn of the event loop. */
const HASH_LIMITS = {
  maxRunning: 1,
  maxRunningPerAccount: 1,
  maxWaiting: 2000,
  maxWaitingPerAccount: 200,
  maxWaitMs: 10_000,
};

const hash = async ({ labelledSvg, payload }: DataUri): Promise<string> => {
  await setImmediate();
  return `${labelledSvg ? 'svg' : 'bitmap'} ${createHash('sha256').update(payload).digest('hex')}`;
};

/** Creates a source of logos in data URIs. It keeps nothing of a URI but its hash. */
export const createDataLogos = (normaliser: Normaliser) => {
  const limiter = createFairLimiter(HASH_LIMITS);
  return {
    resolve: async ({ uri, accountId, isFree }: Request): Promise<LogoOutcome> => {
      const id = await limiter.run(accountId, () => hash(uri));
      if (id === null) return BUSY;
      const load = () => decodeBase64(uri.payload);
      return normaliser.normalise({ id, isSvg: uri.labelledSvg, accountId, isFree, load });
    },
    close: limiter.close,
  };
};
