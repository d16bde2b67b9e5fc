import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tsr_';
/** A live key has no `_` after its prefix, which distinguishes the two. */
const SANDBOX_PREFIX = 'tsr_test_';
const SECRET_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** How much of a secret is shown after its creation: enough to tell keys apart, too little to guess one. */
const SHOWN_CHARACTERS = 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(
  `^(?:${PREFIX}|${SANDBOX_PREFIX})[0-9A-Za-z]{${SECRET_CHARACTERS + CHECKSUM_CHARACTERS}}$`,
);

const checksumOf = (body: string): string => {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};

const prefixOf = (isSandbox: boolean): string => (isSandbox ? SANDBOX_PREFIX : PREFIX);

/**
 * Returns a new key: `tsr_`, or `tsr_test_` for a sandbox, 32 random base62 characters (190 bits), and the CRC32 of all
 * that in base62.
 */
export const createApiKey = (isSandbox = false): string => {
  const secret = Array.from({ length: SECRET_CHARACTERS }, () => BASE62[randomInt(62)]).join('');
  const body = prefixOf(isSandbox) + secret;
  return body + checksumOf(body);
};

/** Whether a text has the form and the checksum of a key, so that a mistyped key costs no look-up. */
export const isWellFormedKey = (text: string): boolean =>
  SHAPE.test(text) && checksumOf(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);

/** Returns the SHA-256 of a key, in base64. A key has 190 random bits, so a slow hash would add nothing. */
export const digestOfKey = (key: string): string => hash('sha256', key, 'base64');

/** Returns the 32 bytes of `digestOfKey`. */
export const hashKey = (key: string): Buffer => Buffer.from(digestOfKey(key), 'base64');

/** Returns the first characters of a key, which tell keys apart on a screen. */
export const shownPrefixOf = (key: string): string =>
  key.slice(0, prefixOf(key.startsWith(SANDBOX_PREFIX)).length + SHOWN_CHARACTERS);

/** Masks whatever looks like a key or a signing secret in a text, for the log. */
export const withoutKeys = (text: string): string =>
  text.replace(/(tsr_test_|tsr_|tss_|whsec_)[0-9A-Za-z+/=]+/g, '$1***');
