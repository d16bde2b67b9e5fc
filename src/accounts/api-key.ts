import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'tsr_';
const SECRET_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/** What is shown of a key after it was made: enough to tell keys apart, too little to guess one. */
const SHOWN_CHARACTERS = PREFIX.length + 6;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

const checksumOf = (body: string): string => {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
};

/** A new key: `tsr_`, 32 random base62 characters (190 bits) and a CRC32 of what stands before, in base62. */
export const createApiKey = (): string => {
  const secret = Array.from({ length: SECRET_CHARACTERS }, () => BASE62[randomInt(62)]).join('');
  return PREFIX + secret + checksumOf(PREFIX + secret);
};

/** Whether a text can be a key at all. A mistyped key is told here, without a look-up. */
export const isWellFormedKey = (text: string): boolean =>
  SHAPE.test(text) && checksumOf(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);

/** SHA-256: a key has 190 random bits, so a slow hash would add nothing. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

export const shownPrefix = (key: string): string => key.slice(0, SHOWN_CHARACTERS);

/** Takes whatever looks like a key out of a text that is about to be logged. */
export const withoutKeys = (text: string): string => text.replace(/tsr_[0-9A-Za-z]+/g, 'tsr_***');
