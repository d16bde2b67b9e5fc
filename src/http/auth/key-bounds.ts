/** The rule for keys that create and change keys: no key grants more than it has itself. */
import type { KeyBounds, Principal } from '../../db/tables/keys.ts';
import { fieldError } from '../../errors.ts';

/** Returns the bounds of the key that asks. */
export const boundsOf = ({ rateLimitPerSecond, keyExpiresAt, keyQuota }: Principal): KeyBounds => ({
  rateLimitPerSecond,
  expiresAt: keyExpiresAt,
  monthlyQuota: keyQuota,
});

/** Whether a wanted bound is wider than the asker's own. `null` means unlimited; absent means not asked for. */
const isWider = (wanted: number | Date | null | undefined, own: number | Date | null): boolean =>
  wanted !== undefined && own !== null && (wanted === null || Number(wanted) > Number(own));

/**
 * Checks bounds against those of the key that asks for them.
 *
 * @throws {AppError} 400 for a bound that is wider than its own.
 */
export const refuseWiderBounds = (asker: Principal, wanted: Partial<KeyBounds>): void => {
  const own = boundsOf(asker);
  if (isWider(wanted.rateLimitPerSecond, own.rateLimitPerSecond)) {
    throw fieldError(
      'rate_limit_per_second',
      `must be at most ${own.rateLimitPerSecond}, the limit of the key that makes the call`,
    );
  }
  if (isWider(wanted.monthlyQuota, own.monthlyQuota)) {
    throw fieldError(
      'monthly_quota',
      `must be at most ${own.monthlyQuota}, the quota of the key that makes the call`,
    );
  }
  if (isWider(wanted.expiresAt, own.expiresAt)) {
    throw fieldError(
      'expires_at',
      `must not be after ${own.expiresAt?.toISOString()}, when the key that makes the call expires`,
    );
  }
};
