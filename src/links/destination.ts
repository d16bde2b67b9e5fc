/** Checks where a short link may lead. */
import { parseUrl, trimUrl } from '../parse-url.ts';
import { ok, type Result, refused } from '../result.ts';
import { isOwnUrl } from './own-address.ts';

/**
 * In characters after percent-encoding, so that what is returned is accepted again. It is below the 16 KiB that HTTP
 * clients and proxies allow for all headers.
 */
const HREF_MAX = 8192;

/**
 * Checks a destination as the caller wrote it, without what surrounds it unseen. Returns its spelling in the WHATWG URL
 * standard: ASCII without spaces, which every client reads alike. Only that spelling may go into a `Location` header.
 *
 * It refuses anything but an absolute http or https URL, credentials (they disguise the host), control characters and
 * broken UTF-16 (a parser would drop or replace them silently), more than 8192 characters once encoded, and the
 * service's own short links, which could lead in a circle. The fault continues a sentence that begins with the name of
 * the field.
 *
 * @param publicUrl Base of short links, without a trailing slash.
 */
export const checkDestination = (pasted: string, publicUrl: string): Result<string, string> => {
  const written = trimUrl(pasted);
  if (/[\p{Cc}\p{Surrogate}]/u.test(written)) return refused('must not contain control characters');
  const url = /^https?:\/\/[^/\\?#]/i.test(written) ? parseUrl(written) : null;
  if (url === null) return refused('must be an absolute http or https URL');
  if (url.username || url.password) return refused('must not contain a user name or password');
  if (isOwnUrl(url, publicUrl, /^\/l\//)) return refused('must not be one of our own short links');
  if (url.href.length > HREF_MAX) return refused(`must have at most ${HREF_MAX} characters when encoded`);
  return ok(url.href);
};

/** Whether a stored destination may become a header. All that `checkDestination` returns may. */
export const isRedirectable = (href: string): boolean => /^https?:\/\/[\x21-\x7e]+$/.test(href);
