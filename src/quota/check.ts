import { isUuid } from '../uuid.ts';
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

const mustBeQuota = (quota: number | null) => {
  if (quota !== null && !(Number.isSafeInteger(quota) && quota >= 0))
    throw new TypeError('keyQuota must be a whole number from 0');
};

/**
 * Checks a reservation before a ledger sees it, because a ledger counts what it is given.
 *
 * @throws {TypeError} When an id is not a lower-case UUID, or `units` is not a whole number from 1 to `UNITS_MAX`,
 *   or `keyQuota` not one from 0.
 */
export const checkReserve = ({ id, accountId, units, use, keyQuota = null }: Reserve): void => {
  mustBeQuota(keyQuota);
  mustBeUuid('id', id);
  mustBeUuid('accountId', accountId);
  mustBeUuid('use.keyId', use.keyId);
  mustBeUnits('units', units, 1);
};

/** Checks a hold as `checkReserve` does a reservation. @throws {TypeError} */
export const checkHold = ({ id, accountId, units, keyId, keyQuota = null }: Hold): void => {
  mustBeQuota(keyQuota);
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
