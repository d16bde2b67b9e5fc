import { randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 8;
const SHAPE = /^[0-9A-Za-z]{8}$/;

/**
 * Makes a slug: 8 characters of base62 (47.6 bits) from the system's cryptographic source, each equally likely.
 * It may be taken already; the caller that inserts it then tries another.
 */
export const createSlug = (): string =>
  Array.from({ length: LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('');

/** Whether `createSlug` could have made the text. Any other text is unknown, without a look-up. */
export const isSlug = (text: string): boolean => SHAPE.test(text);
