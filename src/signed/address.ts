/**
 * The address of a signed picture: `/i/<signature>/<secret id>.<parameters>.<format>`.
 *
 * The parameters are JSON in base64url without padding. The signature is the HMAC-SHA-256, under the text of the
 * secret, of what stands after the last slash, in base64url without padding. Both sides sign that text as it is
 * written, so JSON needs no canonical form. This part works on texts alone.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { UUID } from '../texts.ts';

/** The formats of signed pictures. */
export const SIGNED_FORMATS = ['png', 'svg'] as const;
/** A format of signed pictures. */
export type SignedFormat = (typeof SIGNED_FORMATS)[number];

/** The longest path of an address, in characters. Common proxies take a request line of 8 KiB. */
export const PATH_MAX_CHARACTERS = 8000;

/** An address, taken apart and not checked yet. */
export interface Address {
  readonly signature: string;
  /** What is signed: `<secret id>.<parameters>.<format>`. */
  readonly signed: string;
  readonly secretId: string;
  /** Base64url. */
  readonly parameters: string;
  readonly format: SignedFormat;
}

const HEAD = new RegExp(`^/i/([\\w-]{43})/(${UUID})\\.`);
/** Where the signed text begins: after `/i/`, 43 characters and a slash. */
const SIGNED_AT = 47;

/**
 * Splits the path of a request. Returns `null` when it is not a signed address, for example because it has a query. It
 * does not check the characters of the parameters: the signature covers all of them, and checking would cost as much.
 *
 * @param path As it was sent, not decoded.
 */
export const readAddress = (path: string): Address | null => {
  if (path.length > PATH_MAX_CHARACTERS) return null;
  const head = HEAD.exec(path);
  const format = SIGNED_FORMATS.find((each) => path.endsWith(`.${each}`));
  if (head === null || format === undefined) return null;
  const [{ length: from }, signature, secretId] = head as unknown as readonly [string, string, string];
  const parameters = path.slice(from, -format.length - 1);
  return { signature, secretId, parameters, format, signed: path.slice(SIGNED_AT) };
};

const sign = (secret: string | KeyObject, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

/**
 * Whether the signature is the one that the secret makes. The texts are compared, because base64url spells the same
 * bytes in four ways. The time does not depend on where they differ.
 */
export const isSigned = (secret: string | KeyObject, { signature, signed }: Address): boolean =>
  timingSafeEqual(Buffer.from(sign(secret, signed), 'latin1'), Buffer.from(signature, 'latin1'));

/** Returns the path of a signed address. @param parameters Any JSON object. */
export const signPath = (
  { id, secret }: { readonly id: string; readonly secret: string },
  parameters: object,
  format: SignedFormat,
): string => {
  const encoded = Buffer.from(JSON.stringify(parameters)).toString('base64url');
  const signed = `${id}.${encoded}.${format}`;
  return `/i/${sign(secret, signed)}/${signed}`;
};
