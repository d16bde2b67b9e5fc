/** The rule for keys that create and change keys: no key grants more than it has itself, by its makers' bounds too. */
import type { KeyBounds, Principal } from '../../db/tables/keys.ts';
import { fieldError } from '../../errors.ts';

const narrowest = (bounds: readonly (number | null)[]): number | null => {
  const given = bounds.filter((bound) => bound !== null);
  return given.length === 0 ? null : Math.min(...given);
};

/** Returns the bounds of the key that asks: the narrowest of its own and its makers'. */
export const boundsOf = ({ rateLimitPerSecond, keyExpiresAt, keyQuota, makers }: Principal): KeyBounds => ({
  rateLimitPerSecond: narrowest([rateLimitPerSecond, ...makers.map((maker) => maker.rateLimitPerSecond)]),
  expiresAt: keyExpiresAt,
  monthlyQuota: narrowest([keyQuota, ...makers.map((maker) => maker.monthlyQuota)]),
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
