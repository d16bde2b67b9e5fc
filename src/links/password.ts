/** Passwords of links: what is stored of them, and whether one is right. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number }, Buffer>(scrypt);

/** Some 50 ms and 16 MB for each try. */
const COST = { N: 16_384, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Keyboards write one character in several ways. */
const normal = (password: string): string => password.normalize('NFKC');

/** Returns what is stored: the name of the method, its salt and the hash. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(normal(password), salt, HASH_BYTES, COST);
  return ['scrypt', salt.toString('base64url'), hash.toString('base64url')].join('$');
};

/** Whether a text has the form of what `hashPassword` returns. */
export const isStoredPassword = (text: string): boolean => /^scrypt\$[\w-]{22}\$[\w-]{43}$/.test(text);

/** Whether a password is the one that was stored. */
export const isPassword = async (password: string, stored: string): Promise<boolean> => {
  const [, salt = '', hash = ''] = stored.split('$');
  const wanted = Buffer.from(hash, 'base64url');
  const found = await derive(normal(password), Buffer.from(salt, 'base64url'), HASH_BYTES, COST);
  return wanted.length === found.length && timingSafeEqual(wanted, found);
};
