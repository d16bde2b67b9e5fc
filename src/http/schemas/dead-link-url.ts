/** The address to which an account's dead short links redirect, as a field of requests. */

import Type from 'typebox';
import { fieldError } from '../../errors.ts';
import type { checkDestination } from '../../links/destination.ts';
import { orNull } from '../../stored-json.ts';

/** Checks a destination; never throws. */
export type CheckDestination = (written: string) => ReturnType<typeof checkDestination>;

/** The field `dead_link_url`. */
export const DeadLinkUrl = orNull(Type.String(), {
  title: 'DeadLinkUrl',
  description:
    'Where dead short links redirect: an absolute http or https URL without credentials that is not one of our short links. null: none.',
});

/** Returns the normalised URL. @throws {AppError} 400 when it cannot be a destination. */
export const readDeadLinkUrl = (written: string | null, check: CheckDestination): string | null => {
  if (written === null) return null;
  const checked = check(written);
  if (!checked.ok) throw fieldError('dead_link_url', checked.fault);
  return checked.value;
};
