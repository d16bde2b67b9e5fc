/** What a new key may do, and that there is room for it. */
import type { Accounts, CreatedKey, WantedKey } from '../../accounts/accounts.ts';
import type { Principal } from '../../db/tables/keys.ts';
import { AppError, fieldError } from '../../errors.ts';

/**
 * The key as its maker may have it made: with no scope that the maker lacks, and within the maker's own rate limit.
 * What is absent is as the maker has it.
 *
 * @throws {AppError} 403 for more scopes, 400 for a higher limit.
 */
export const grantable = (maker: Principal, wanted: WantedKey): WantedKey => {
  const { name, scopes = maker.scopes, rateLimitPerSecond = maker.rateLimitPerSecond } = wanted;
  const lacking = scopes.filter((scope) => !maker.scopes.includes(scope));
  if (lacking.length > 0) {
    const names = lacking.map((scope) => `"${scope}"`).join(' and ');
    throw new AppError('scope_required', `scopes: your key lacks ${names}, so it makes no key with it.`);
  }
  if (maker.rateLimitPerSecond !== null && rateLimitPerSecond! > maker.rateLimitPerSecond) {
    throw fieldError(
      'rateLimitPerSecond',
      `must be at most ${maker.rateLimitPerSecond}, the limit of the key that asks`,
    );
  }
  return { name, scopes, ...(rateLimitPerSecond === null ? {} : { rateLimitPerSecond }) };
};

/** @throws {AppError} 409 when the account has as many keys as it may have, 404 when there is no such account. */
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
    `An account may have ${accounts.keysPerAccountMax} keys; revoke one that is not used any more.`,
  );
};
