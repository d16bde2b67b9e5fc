/** Where a short link leads. */
import { ok, type Result, refused } from '../result.ts';
import { isOwnShortLink } from './own-address.ts';

/** As long as the content of a code, UTF-16 units. */
const WRITTEN_MAX = 4296;
/** After percent-encoding: below the 16 KiB that HTTP clients and proxies allow for all headers together. */
const HREF_MAX = 8192;

/**
 * Checks a destination as the caller wrote it. The value is the WHATWG URL standard's spelling of it: ASCII without
 * spaces, which every client reads alike; only that may go into a `Location` header.
 *
 * Refused are: what is not an absolute http or https URL, credentials (they disguise the host), control
 * characters and broken UTF-16 (a parser would drop or replace them silently), more than 4296 characters, and
 * our own short links, which could lead in a circle.
 *
 * @param publicUrl Base of short links, without a trailing slash.
 */
export const checkDestination = (written: string, publicUrl: string): Result<string, string> => {
  if (written.length > WRITTEN_MAX) return refused(`must have at most ${WRITTEN_MAX} characters`);
  if (/[\p{Cc}\p{Surrogate}]/u.test(written)) return refused('must not contain control characters');
  if (!/^https?:\/\/[^/\\?#]/i.test(written) || !URL.canParse(written)) {
    return refused('must be an absolute http or https URL');
  }
  const url = new URL(written);
  if (url.username || url.password) return refused('must not contain a user name or password');
  if (isOwnShortLink(url, publicUrl)) return refused('must not be one of our own short links');
  if (url.href.length > HREF_MAX) return refused(`must have at most ${HREF_MAX} characters when encoded`);
  return ok(url.href);
};

/** The last look at a stored destination before it becomes a header: what `checkDestination` gives passes. */
export const isRedirectable = (href: string): boolean => /^https?:\/\/[\x21-\x7e]+$/.test(href);
