/** Rules for new keys: what they may do, and how many an account may have. */

import type { CreatedKey, WantedKey } from '../../accounts/account-keys.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Principal } from '../../db/tables/keys.ts';
import { AppError, fieldError } from '../../errors.ts';

/**
 * Checks a wanted key against the key that makes it. It may have no scope that its maker lacks and no higher rate limit
 * than its maker. Absent values are taken from the maker.
 *
 * @throws {AppError} 403 for a scope that the maker lacks, 400 for a higher rate limit.
 */
export const checkWantedKey = (maker: Principal, wanted: WantedKey): WantedKey => {
  const { name, scopes = maker.scopes, rateLimitPerSecond = maker.rateLimitPerSecond } = wanted;
  const lacking = scopes.filter((scope) => !maker.scopes.includes(scope));
  if (lacking.length > 0) {
    const names = lacking.map((scope) => `"${scope}"`).join(' and ');
    throw new AppError('scope_required', `scopes: your key lacks ${names}, so it cannot make a key with it.`);
  }
  if (maker.rateLimitPerSecond !== null && rateLimitPerSecond! > maker.rateLimitPerSecond) {
    throw fieldError(
      'rate_limit_per_second',
      `must be at most ${maker.rateLimitPerSecond}, the limit of the key that asks`,
    );
  }
  return { name, scopes, ...(rateLimitPerSecond === null ? {} : { rateLimitPerSecond }) };
};

/**
 * Creates a key for the account.
 *
 * @throws {AppError} 409 when the account has as many keys as it may have, 404 when there is no such account.
 */
export const createKey = async (
  accounts: Accounts,
  accountId: string,
  wanted: WantedKey,
): Promise<CreatedKey> => {
  const created = await accounts.createKey(accountId, wanted);
  if (created.ok) return created.value;
  if (created.fault === 'no account') throw new AppError('not_found', 'There is no such account.');
  throw new AppError(
    'limit_reached',
    `An account may have ${accounts.keysPerAccountMax} keys; revoke one that is no longer used.`,
  );
};
