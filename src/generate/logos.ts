/** Finds the logo that a request names. */
import { AppError } from '../errors.ts';
import type { FoundLogo } from '../logo/outcome.ts';
import { refuse } from './drawing.ts';
import type { Parts } from './parts.ts';

/** Whether the logo comes from a URL, which may give another one, or none, when the same request is repeated. */
export const isRemote = (image: string | undefined): image is string => /^https?:/i.test(image ?? '');

/**
 * Finds the logo of a picture. Returns `null` when the request names none.
 *
 * @param isFree The call costs no units, so the logo counts as free work even when it can be used.
 * @throws {AppError} 400 when the logo cannot be used, 429 when the account has used up its free work, 503 when it
 *   could not be prepared in time.
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
  const { fault } = found;
  if (fault.stage === 'busy') {
    const retryAfterS = parts.pool.retryAfterS();
    throw new AppError('overloaded', `${fault.field}: ${fault.message}`, { retryAfterS });
  }
  if (fault.stage === 'spent') parts.freeWork.admit(accountId);
  throw refuse(fault);
};
