/** Finds the logos of a piece. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundLogo } from '../../logo/outcome.ts';
import { ok, type Result, refused } from '../../result.ts';
import type { RowFailure } from './draw.ts';
import type { WorkParts } from './parts.ts';

const PAUSE_MS = 1000;
const TRIES = 30;

/** @throws When logos of this account cannot be prepared for half a minute. */
const resolve = async (
  { logos }: Pick<WorkParts, 'logos'>,
  accountId: string,
  image: string,
): Promise<Result<FoundLogo, RowFailure>> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await logos.resolve(image, { accountId });
    if (found.ok) return ok(found.value);
    const { stage, field, message } = found.fault;
    if (stage !== 'busy' && stage !== 'spent') return refused({ field, message, cause: 'row' });
    await sleep(PAUSE_MS);
  }
  throw new Error('logos cannot be prepared at the moment');
};

/** Creates a function that finds logos, looking each one up only once. */
export const createLogoFinder = (parts: Pick<WorkParts, 'logos'>, accountId: string) => {
  const known = new Map<string, Promise<Result<FoundLogo, RowFailure>>>();
  return (image: string | undefined): Promise<Result<FoundLogo | null, RowFailure>> => {
    if (image === undefined) return Promise.resolve(ok(null));
    const found = known.get(image) ?? resolve(parts, accountId, image);
    known.set(image, found);
    return found;
  };
};
