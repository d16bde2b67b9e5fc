import { AppError } from '../../../errors.ts';

/** Returns the value. @throws {AppError} 404 when there is no such account. */
export const found = <T>(value: T | null): T => {
  if (value === null) throw new AppError('not_found', 'There is no such account.');
  return value;
};
