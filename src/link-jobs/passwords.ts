/** Passwords of the rows of a piece. Hashing one, or comparing it with a hash, takes some 50 ms of a thread. */
import type { SlowRows } from '../batches/receive/store-rows.ts';
import { hashPassword, isPassword } from '../links/password.ts';

/** So that a turn takes a second or two, in which other jobs wait, and a job at most half an hour. */
export const SLOW_ROWS: SlowRows = {
  is: (text) => /"password"\s*:\s*"/.test(text),
  perPiece: 20,
  max: 10_000,
  what: 'with a password',
};
/** Of each row, a comparison and a new hash. Only fields that are spelled with escapes bring more rows into a piece. */
const HASHES_MAX = 2 * SLOW_ROWS.perPiece;
export const PASSWORD_TOO_MANY = `is one of more than ${SLOW_ROWS.perPiece} in one piece: spell the name of the field without escapes`;

/** Differs from each hash. */
const NEW = '';

/**
 * Makes a function that returns a hash of a password: the present one of its link if that is of the same password, or else
 * a new one, which rows of the piece with one password share; `null` when the piece has too many.
 *
 * @param isDry Whether a mark stands for each new hash.
 */
export const createRowPasswords = (isDry: boolean) => {
  const hashes = new Map<string, string>();
  const once = async (key: string, make: () => Promise<string | null>): Promise<string | null> => {
    const known = hashes.get(key);
    if (known !== undefined) return known;
    const hash = hashes.size < HASHES_MAX ? await make() : null;
    if (hash !== null) hashes.set(key, hash);
    return hash;
  };
  const fresh = (password: string): Promise<string | null> =>
    once(password, async () => (isDry ? NEW : hashPassword(password)));
  return (password: string, present: string | null): Promise<string | null> =>
    present === null
      ? fresh(password)
      : once(`${present} ${password}`, async () =>
          (await isPassword(password, present)) ? present : fresh(password),
        );
};
