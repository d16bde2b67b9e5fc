import Negotiator from 'negotiator';
import { AppError } from '../../errors.ts';

/** No real client sends longer ones, and parsing takes time. */
const ACCEPT_MAX_CHARACTERS = 1000;

/**
 * Returns the media type that the header `Accept` prefers: the first of `types` when it accepts all alike.
 *
 * @throws {AppError} 406 when it accepts none.
 */
export const acceptedType = (accept: string | undefined, types: readonly string[]): string => {
  const isSane = accept === undefined || accept.length <= ACCEPT_MAX_CHARACTERS;
  const type = isSane ? new Negotiator({ headers: { accept } }).mediaType([...types]) : undefined;
  if (type !== undefined) return type;
  throw new AppError('not_acceptable', `Accept: must allow one of ${types.join(', ')}.`);
};
