/** The logo of a picture, as a request names it. */
import type { FoundLogo } from '../logo/outcome.ts';
import { overloaded, refuse } from './drawing.ts';
import type { Parts } from './parts.ts';

/** A logo by URL may be another, or gone, when the same request comes again. */
export const isRemote = (image: string | undefined): image is string => /^https?:/i.test(image ?? '');

/**
 * @param isFree The caller pays no units, even if the logo can be used.
 * @throws {AppError} 400 on `image`, 429 when too much was done in vain for the account, or 503 when too many logos
 *   are being prepared.
 */
export const findLogo = async (
  parts: Pick<Parts, 'logos' | 'pool' | 'freeWork'>,
  accountId: string,
  image: string | undefined,
  isFree = false,
): Promise<FoundLogo | null> => {
  if (image === undefined) return null;
  const found = await parts.logos.resolve(image, { accountId, isFree });
  if (found.ok) return found.value;
  if (found.fault.stage === 'busy') throw overloaded('queue_full', parts.pool);
  if (found.fault.stage === 'spent') parts.freeWork.admit(accountId);
  throw refuse(found.fault);
};
