import { isUuid } from '../texts.ts';
import type { Hold, Release, Reserve, Settle } from './quota.ts';

const mustBeUuid = (name: string, value: string) => {
  if (!isUuid(value)) throw new TypeError(`${name} must be a lower-case UUID`);
};

/** The most units that one reservation or hold may take: the rows of the largest batch. */
const UNITS_MAX = 1_000_000;

const mustBeUnits = (name: string, value: number, min: number) => {
  if (!Number.isInteger(value) || value < min || value > UNITS_MAX)
    throw new TypeError(`${name} must be a whole number from ${min} to ${UNITS_MAX}`);
};

/** The most makers that a key has; sql/0001_accounts.sql has the same number. */
export const MAKERS_MAX = 8;

const mustBeQuotas = ({ keyQuota = null, makers = [] }: Pick<Reserve, 'keyQuota' | 'makers'>) => {
  if (makers.length > MAKERS_MAX) throw new TypeError(`a key has at most ${MAKERS_MAX} makers`);
  for (const { keyId } of makers) mustBeUuid('keyId of a maker', keyId);
  for (const quota of [keyQuota, ...makers.map(({ monthlyQuota }) => monthlyQuota)])
    if (quota !== null && !(Number.isSafeInteger(quota) && quota >= 0))
      throw new TypeError('keyQuota and the quotas of makers must be whole numbers from 0');
};

/**
 * Checks a reservation before a ledger sees it, because a ledger counts what it is given.
 *
 * @throws {TypeError} When an id is not a lower-case UUID, or `units` is not a whole number from 1 to `UNITS_MAX`,
 *   or `keyQuota` or the quota of a maker not one from 0.
 */
export const checkReserve = (request: Reserve): void => {
  const { id, accountId, units, use } = request;
  mustBeQuotas(request);
  mustBeUuid('id', id);
  mustBeUuid('accountId', accountId);
  mustBeUuid('use.keyId', use.keyId);
  mustBeUnits('units', units, 1);
};

/** Checks a hold as `checkReserve` does a reservation. @throws {TypeError} */
export const checkHold = (request: Hold): void => {
  const { id, accountId, units, keyId } = request;
  mustBeQuotas(request);
  mustBeUuid('id', id);
  mustBeUuid('accountId', accountId);
  mustBeUuid('keyId', keyId);
  mustBeUnits('units', units, 1);
};

/** Checks the end of a hold. @throws {TypeError} */
export const checkRelease = ({ id, accountId, refundUnits }: Release): void => {
  mustBeUuid('id', id);
  mustBeUuid('accountId', accountId);
  mustBeUnits('refundUnits', refundUnits, 0);
};

/**
 * Checks a settlement before it joins others, because one invalid settlement would make all of them fail.
 *
 * @throws {TypeError} When an id, `refundUnits` or `answer` has a form that the ledger cannot store.
 */
export const checkSettle = ({ id, accountId, refundUnits, answer }: Settle): void => {
  mustBeUuid('id', id);
  mustBeUuid('accountId', accountId);
  mustBeUnits('refundUnits', refundUnits, 0);
  // Postgres stores neither NUL nor lone surrogates as text; JSON.stringify escapes both.
  if (answer !== undefined && (answer.includes('\0') || /\p{Surrogate}/u.test(answer))) {
    throw new TypeError('answer must be well-formed text without NUL');
  }
};
