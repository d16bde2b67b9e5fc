/**
 * Rules for new and changed keys: how many an account may have, and that no key grants more than the one that makes it,
 * by its makers' bounds too.
 */

import type { CreatedKey, WantedKey } from '../../accounts/account-keys.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Key, KeyBounds, KeyPatch, Principal } from '../../db/tables/accounts/keys.ts';
import { AppError, fieldError } from '../../errors.ts';
import { MAKERS_MAX } from '../../quota/check.ts';
import { notFound, requireFound } from './require-found.ts';

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

/**
 * Checks a wanted key against the key that makes it. It may have no scope that its maker lacks and no wider bounds than
 * its maker. Absent values are taken from the maker, except `loadTests`, which must be asked for.
 *
 * @throws {AppError} 403 for a scope that the maker lacks, or load tests that it may not mark; 400 for wider bounds.
 */
export const checkWantedKey = (maker: Principal, wanted: WantedKey): WantedKey => {
  const inherited = wanted.isSandbox
    ? { ...boundsOf(maker), monthlyQuota: null, scopes: maker.scopes.filter((scope) => scope !== 'manage') }
    : { ...boundsOf(maker), scopes: maker.scopes };
  const { scopes = inherited.scopes } = wanted;
  const lacking = scopes.filter((scope) => !maker.scopes.includes(scope));
  if (lacking.length > 0) {
    const names = lacking.map((scope) => `"${scope}"`).join(' and ');
    throw new AppError('scope_required', `scopes: your key lacks ${names}, so it cannot make a key with it.`);
  }
  if (wanted.loadTests && !maker.loadTests) {
    throw new AppError(
      'load_test_refused',
      'load_tests: your key lacks it, so it cannot make a key with it; ask the operator for one.',
    );
  }
  refuseWiderBounds(maker, wanted);
  return { ...inherited, ...wanted, scopes };
};

const paysNothing = () => fieldError('monthly_quota', 'must be null, because a sandbox key pays nothing');

/** Checks a wanted sandbox key and fills in its scopes. @throws {AppError} 400 for what it cannot have. */
const toSandbox = (wanted: WantedKey): WantedKey => {
  const { scopes = ['generate', 'render'], monthlyQuota = null } = wanted;
  if (monthlyQuota !== null) throw paysNothing();
  if (scopes.includes('manage') || scopes.length === 0) {
    throw fieldError(
      'scopes',
      'must be "generate", "render" or both for a sandbox key, and your key must have them',
    );
  }
  return { ...wanted, scopes };
};

const notMade = (
  { keysPerAccountMax }: Pick<Accounts, 'keysPerAccountMax'>,
  fault: 'no maker' | 'too many' | 'too deep',
): AppError => {
  if (fault === 'no maker') return new AppError('unauthorized', 'The key that makes the call was revoked.');
  if (fault === 'too deep') {
    return new AppError(
      'limit_reached',
      `Your key is the last in a line of ${MAKERS_MAX + 1} keys of which each made the next; make the new one with an earlier key, or revoke keys of the line that are no longer used.`,
    );
  }
  return new AppError(
    'limit_reached',
    `An account may have ${keysPerAccountMax} keys; revoke one that is no longer used.`,
  );
};

/** Which key is replaced, and how. */
interface WantedReplacement {
  readonly id: string;
  readonly overlapMs: number;
  /** When the new key expires; absent: when the old one does. */
  readonly expiresAt?: Date | null;
}

/**
 * Creates a key for the account.
 *
 * @param by.keyId The key that makes it; `null`: the operator does.
 * @throws {AppError} 400 for what a sandbox key cannot have, 409 when the account has as many keys as it may have or
 *   the line of makers is too long, 404
 *   when there is no such account.
 */
export const createKey = async (
  accounts: Accounts,
  by: { readonly accountId: string; readonly keyId: string | null },
  wanted: WantedKey,
): Promise<CreatedKey> => {
  const created = await accounts.createKey(
    by.accountId,
    by.keyId,
    wanted.isSandbox ? toSandbox(wanted) : wanted,
  );
  if (created.ok) return created.value;
  if (created.fault === 'no account') throw new AppError('not_found', 'There is no such account.');
  throw notMade(accounts, created.fault);
};

/**
 * Makes a key that replaces another one.
 *
 * @param asker The key that asks, which may replace those of its account; `null`: the operator does.
 * @throws {AppError} 404 when there is no such key, 403 and 400 when the key that asks could not make the new one, 409 as
 *   `createKey`.
 */
export const rotateKey = async (
  accounts: Accounts,
  asker: Principal | null,
  { id, overlapMs, expiresAt: wanted }: WantedReplacement,
): Promise<CreatedKey> => {
  const old = requireFound('key', await accounts.findKey(id, asker?.accountId ?? null));
  const expiresAt = wanted === undefined ? old.expiresAt : wanted;
  if (expiresAt !== null && expiresAt.getTime() <= Date.now())
    throw fieldError('expires_at', 'is required, because the key has expired; null: the new one never does');
  const { accountId, name, scopes, isSandbox, loadTests } = old;
  // Its other bounds are those of the old one, within those of the key that asks, for which its use counts.
  if (asker !== null) checkWantedKey(asker, { name, scopes, isSandbox, loadTests, expiresAt });
  const makerId = asker?.keyId ?? null;
  const rotated = await accounts.rotateKey({ accountId, id, makerId, expiresAt, overlapMs });
  if (rotated.ok) return rotated.value;
  throw rotated.fault === 'no key' ? notFound('key') : notMade(accounts, rotated.fault);
};

/**
 * Changes a key.
 *
 * @param accountId `null`: a key of any account.
 * @throws {AppError} 404 when there is no such key, 400 for a quota of a sandbox key.
 */
export const changeKey = async (
  accounts: Pick<Accounts, 'updateKey' | 'isSandboxKey'>,
  id: string,
  accountId: string | null,
  patch: KeyPatch,
): Promise<Key> => {
  const changed = await accounts.updateKey(id, accountId, patch);
  if (changed !== null) return changed;
  throw (await accounts.isSandboxKey(id, accountId)) ? paysNothing() : notFound('key');
};
