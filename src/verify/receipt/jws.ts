/**
 * Signatures of receipts: JSON Web Signatures (RFC 7515) in their compact form with Ed25519 (RFC 8037), so that any
 * library for JWS checks them, and so does `openssl`.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { ok, type Result, refused } from '../../result.ts';

/**
 * Returns a value as canonical JSON (RFC 8785): keys in the order of their UTF-16 code units, no white space.
 * `undefined` fields are left out. The same value always has the same bytes.
 */
export const toCanonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${toCanonicalJson(field)}`).join(',')}}`;
};

/** A public key as a JSON Web Key (RFC 8037, 2). */
export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The 32 bytes of the key, base64url. */
  readonly x: string;
  /** Its thumbprint (RFC 7638). */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** Signs receipts. It does not expose the private key. */
export interface Signer {
  readonly publicKey: PublicKey;
  /** Returns the signature of a payload, with the payload in it. */
  sign(payload: string): string;
}

/** What the header of a signature names as its type. */
const TYPE = 'tessera-receipt';

/** An Ed25519 signature has 64 bytes. */
const FORM = /^([\w-]+)\.([\w-]+)\.([\w-]{86})$/;

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** Makes a private key: PKCS #8 in DER. */
export const createKey = (): Buffer =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });

/** Returns a key with the thumbprint of its 32 bytes. */
export const toPublicKey = (x: string): PublicKey => {
  const named = toCanonicalJson({ crv: 'Ed25519', kty: 'OKP', x });
  const kid = createHash('sha256').update(named).digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
};

/** Makes the signer of a key. @param pkcs8 As `createKey` made it. */
export const createSigner = (pkcs8: Buffer): Signer => {
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const publicKey = toPublicKey(String(createPublicKey(privateKey).export({ format: 'jwk' }).x));
  const header = encode(toCanonicalJson({ alg: 'EdDSA', kid: publicKey.kid, typ: TYPE }));
  return {
    publicKey,
    sign(payload) {
      const signed = `${header}.${encode(payload)}`;
      return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
    },
  };
};

const parseHeader = (
  text: string,
): { readonly alg?: unknown; readonly kid?: unknown; readonly typ?: unknown } => {
  try {
    return Object(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return {};
  }
};

/** Returns the payload of a signature that one of the keys made, or why no key made it. */
export const verifyJws = (jws: string, keys: readonly PublicKey[]): Result<string, string> => {
  const [, header = '', payload = '', signature = ''] = FORM.exec(jws) ?? [];
  const { alg, kid, typ } = parseHeader(header);
  if (alg !== 'EdDSA' || typ !== TYPE) return refused('its signature is not that of a receipt');
  const key = keys.find((candidate) => candidate.kid === kid);
  if (key === undefined) return refused('it is signed with another key than those that were given');
  const { kty, crv, x } = key;
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  const isRight = verify(
    null,
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  return isRight ? ok(Buffer.from(payload, 'base64url').toString()) : refused('its signature is wrong');
};
