/** Passwords of the rows of a piece. Hashing one, or comparing it with a hash, takes some 50 ms of a thread. */
import { hashPassword, isPassword } from '../links/password.ts';

/** Differs from each hash. */
const NEW = '';

/**
 * Makes a function that returns a hash of a password: the present one of its link if that is of the same password, or else
 * a new one, which rows of the piece with one password share.
 *
 * @param isDry Whether a mark stands for each new hash.
 */
export const createRowPasswords = (isDry: boolean) => {
  const hashes = new Map<string, string>();
  const once = async (key: string, make: () => Promise<string>): Promise<string> => {
    const hash = hashes.get(key) ?? (await make());
    hashes.set(key, hash);
    return hash;
  };
  const fresh = (password: string): Promise<string> =>
    once(password, async () => (isDry ? NEW : hashPassword(password)));
  return (password: string, present: string | null): Promise<string> =>
    present === null
      ? fresh(password)
      : once(`${present} ${password}`, async () =>
          (await isPassword(password, present)) ? present : fresh(password),
        );
};
