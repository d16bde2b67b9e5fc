/** What a receipt is checked with: the public keys of its installation, and the pictures of a folder. */
import { createPublicKey } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PublicKey, toPublicKey } from '../../verify/receipt/jws.ts';
import type { Entry } from '../../verify/receipt/statement.ts';
import { createApi } from '../api.ts';
import { commandError } from '../fault.ts';
import { hashOfFile } from '../hash.ts';
import { toPrintable } from '../terminal.ts';

const KEYS = '/.well-known/tessera-receipts';

const isOurs = (key: unknown): key is { readonly x: string } => {
  const { kty, crv, x } = Object(key);
  return kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && /^[\w-]{43}$/.test(x);
};

/** Reads a JWK, a JWK set or a key in PEM. Returns no key for anything else. */
const parseKeys = (text: string): readonly PublicKey[] => {
  try {
    const given = text.includes('-----BEGIN')
      ? createPublicKey(text).export({ format: 'jwk' })
      : JSON.parse(text);
    const keys: readonly unknown[] = Array.isArray(given?.keys) ? given.keys : [given];
    return keys.filter(isOurs).map(({ x }) => toPublicKey(x));
  } catch {
    return [];
  }
};

/** Returns the keys of a file: a JWK set, a JWK, or PEM. @throws {CliFault} when it has none. */
export const keysOfFile = async (path: string): Promise<readonly PublicKey[]> => {
  const keys = parseKeys(await readFile(path, 'utf8'));
  if (keys.length === 0)
    throw commandError(`${toPrintable(path)} has no Ed25519 public key, as JWK, JWK set or PEM`);
  return keys;
};

/** Returns the keys of an installation. @param url Without a trailing slash. @throws {CliFault} when it has none. */
export const keysOfInstallation = async (url: string): Promise<readonly PublicKey[]> => {
  const response = await createApi(url, null).open(`GET ${KEYS}`);
  const keys = parseKeys(await response.text());
  if (keys.length === 0) throw commandError(`${url}${KEYS} has no key of receipts; check --url`);
  return keys;
};

/** How the pictures of a folder compare with those of a receipt. */
export type Compared = Awaited<ReturnType<typeof comparePictures>>;

const pngsIn = async (folder: string, under: string): Promise<readonly string[]> =>
  (await readdir(join(folder, under)))
    .filter((name) => name.toLowerCase().endsWith('.png'))
    .map((name) => join(under, name));

/** Returns the PNG files directly in a folder and, where each format has a folder, those in its folder `png`. */
const findPngs = async (folder: string): Promise<readonly string[]> => {
  const below = await pngsIn(folder, 'png').catch(() => []);
  return [...(await pngsIn(folder, '')), ...below].sort();
};

/**
 * Compares the PNG files of a folder with the codes of a receipt by their SHA-256. Files of other formats are left out.
 */
export const comparePictures = async (folder: string, codes: readonly Entry[]) => {
  const known = new Set(codes.flatMap(({ sha256 }) => sha256 ?? []));
  /** Pictures of the receipt that the folder does not have. */
  const absent = new Set(known);
  const names = await findPngs(folder);
  /** Names of pictures that the receipt does not have: changed, in another size, or of other codes. */
  const unknown: string[] = [];
  for (const name of names) {
    const sha256 = await hashOfFile(join(folder, name));
    if (!known.has(sha256)) unknown.push(name);
    absent.delete(sha256);
  }
  return { pictures: names.length, unknown, absent: absent.size };
};
