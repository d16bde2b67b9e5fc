/** Keys that look right but belong to nobody. */
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns `tsr_`, 32 random characters and their CRC32 in six more, so that a gateway has to look it up. */
export const guessedKey = (): string => {
  const body = `tsr_${Array.from({ length: 32 }, () => BASE62[randomInt(62)]).join('')}`;
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < 6; i += 1) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return body + digits;
};
