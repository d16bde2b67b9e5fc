/** The public keys with which a receipt is checked. */
import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type PublicKey, toPublicKey } from '../../verify/receipt/jws.ts';
import { explainSilence } from '../api.ts';
import { failed } from '../fault.ts';
import { printable } from '../terminal.ts';

const PATH = '/.well-known/tessera-receipts';
const TIMEOUT_MS = 30_000;

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
  if (keys.length === 0) throw failed(`${printable(path)} has no Ed25519 public key, as JWK, JWK set or PEM`);
  return keys;
};

/** Returns the keys of an installation. @param url Without a trailing slash. @throws {CliFault} when it has none. */
export const keysOfInstallation = async (url: string): Promise<readonly PublicKey[]> => {
  const response = await fetch(url + PATH, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw failed(explainSilence(url, error));
  });
  const keys = response.ok ? parseKeys(await response.text()) : [];
  if (keys.length === 0)
    throw failed(`${url}${PATH} has no key of receipts (HTTP ${response.status}); check --url`);
  return keys;
};
