import type { Reserve, Settle } from './quota.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const mustBeUuid = (name: string, value: string) => {
  if (!UUID.test(value)) throw new TypeError(`${name} must be a lower-case UUID`);
};

/** Most units of one reservation, far above any batch. */
const UNITS_MAX = 1_000_000;

/** @throws {TypeError} on what no caller may hand in. A ledger counts it before anything could refuse it. */
export const checkReserve = ({ id, accountId, units }: Reserve): void => {
  mustBeUuid('id', id);
  mustBeUuid('accountId', accountId);
  if (!Number.isInteger(units) || units < 1 || units > UNITS_MAX) {
    throw new TypeError(`units must be a whole number from 1 to ${UNITS_MAX}`);
  }
};

/** @throws {TypeError} as `checkReserve`. One bad settle would hold up the batch it is in. */
export const checkSettle = ({ id, accountId, refundUnits, answer }: Settle): void => {
  mustBeUuid('id', id);
  mustBeUuid('accountId', accountId);
  if (!Number.isInteger(refundUnits) || refundUnits < 0 || refundUnits > UNITS_MAX) {
    throw new TypeError(`refundUnits must be a whole number up to ${UNITS_MAX}`);
  }
  // Postgres stores neither NUL nor half a surrogate pair as text; JSON.stringify escapes both.
  if (answer !== undefined && (answer.includes('\0') || /\p{Surrogate}/u.test(answer))) {
    throw new TypeError('answer must be well-formed text without NUL');
  }
};
