import { AppError } from '../../../errors.ts';
import { ANYBODY } from '../route.ts';

/** The section of the operator's API. */
export const OF_OPERATOR = { ...ANYBODY, fails: [401, 429, 503], writeFails: [403] };

/** Returns the value found for an account. @throws {AppError} 404 for `null`. */
export const requireAccount = <T>(value: T | null): T => {
  if (value === null) throw new AppError('not_found', 'There is no such account.');
  return value;
};
