/** Where deleted short links lead, as a request sets it. */
import Type from 'typebox';
import { fieldError } from '../../errors.ts';
import type { checkDestination } from '../../links/destination.ts';

export type CheckDestination = (written: string) => ReturnType<typeof checkDestination>;

export const DeadLinkUrl = Type.Union([Type.String(), Type.Null()], {
  description:
    'Where deleted short links lead: an absolute http or https URL without credentials, none of our own short links. null: nowhere.',
});

/** Its one spelling. @throws {AppError} 400 when it may not be a destination. */
export const readDeadLinkUrl = (written: string | null, check: CheckDestination): string | null => {
  if (written === null) return null;
  const checked = check(written);
  if (!checked.ok) throw fieldError('deadLinkUrl', checked.fault);
  return checked.value;
};
