/** Signs the addresses of pictures without a call. */
import type { Schemas } from './types.ts';

/** A picture: a text with options, or a saved code. */
export type SignedPicture = Omit<Schemas['SignedUrlRequest'], 'format' | 'secret_id'>;

/** Who signs, and what. */
export interface Signing {
  /** The address of the service. */
  readonly url: string;
  /** The id of the secret, and its text as the service showed it, `tss_…`. */
  readonly secret: { readonly id: string; readonly secret: string };
  readonly format?: 'png' | 'svg';
}

const base64Url = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

/** Returns the address of a picture, which shows it to everybody and costs one unit in each month that it is shown. */
export const signPicture = async (
  picture: SignedPicture,
  { url, secret, format = 'png' }: Signing,
): Promise<string> => {
  const encoder = new TextEncoder();
  const signed = `${secret.id}.${base64Url(encoder.encode(JSON.stringify(picture)))}.${format}`;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret.secret), algorithm, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(signed)));
  return `${url.replace(/\/+$/, '')}/i/${base64Url(signature)}/${signed}`;
};
