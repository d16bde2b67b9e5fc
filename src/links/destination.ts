/** Checks where a short link may lead: the service's own addresses are recognised in every notation of a URL. */
import { isIP } from 'node:net';
import { posix } from 'node:path';
import ipaddr from 'ipaddr.js';
import { ok, type Result, refused } from '../result.ts';
import { parseUrl, trimUrl } from '../texts.ts';
import { maskTemplate, type Placeholders } from './template.ts';

/** Proxies may decode a path that is encoded several times. */
const DECODED_TIMES = 4;

/** Stands for every name of the machine itself: a server on one of them usually listens on all. */
const THIS_MACHINE = 'localhost';

/** The URL parser has already brought case, punycode and the notations of IPv4 to one form. */
const hostOf = (url: URL): string => {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (/(^|\.)localhost$/.test(host)) return THIS_MACHINE;
  if (!isIP(host)) return host;
  // `process` unwraps an IPv4 address that IPv6 carries.
  const address = ipaddr.process(host);
  return ['loopback', 'unspecified'].includes(address.range()) ? THIS_MACHINE : address.toString();
};

/** The default ports of http and https count as one, because a proxy often redirects from one to the other. */
const portOf = ({ port }: URL): string => (port === '80' || port === '443' ? '' : port);

/** The path as a router or proxy may read it: decoded, dots resolved, slashes merged. */
const pathOf = ({ pathname }: URL): string => {
  let path = pathname;
  for (let times = 0; times < DECODED_TIMES; times += 1) {
    // Only ASCII is decoded, so that a broken sequence elsewhere cannot stop it.
    path = path.replace(/%([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return posix.normalize(path.replaceAll('\\', '/')).replace(/^\/+/, '/');
};

/**
 * Whether the URL is one of the service's own that begin with a path.
 *
 * @param base Base of these, without a trailing slash.
 * @param begins Paths below the base.
 */
export const isOwnUrl = (url: URL, base: string, begins: RegExp): boolean => {
  const own = new URL(base);
  if (hostOf(url) !== hostOf(own) || portOf(url) !== portOf(own)) return false;
  const [path, stem] = [pathOf(url), pathOf(own).replace(/\/$/, '')];
  return path.startsWith(`${stem}/`) && begins.test(path.slice(stem.length));
};

/**
 * In characters after percent-encoding, so that what is returned is accepted again. It is below the 16 KiB that HTTP
 * clients and proxies allow for all headers.
 */
export const HREF_MAX = 8192;

/** Longer texts are not parsed, which would take long; only dot segments could make one short enough. */
const WRITTEN_MAX = 4 * HREF_MAX;
const TOO_LONG = `must have at most ${HREF_MAX} characters when encoded`;

/**
 * Checks a destination as the caller wrote it, without what surrounds it unseen. Returns its spelling in the WHATWG URL
 * standard: ASCII without spaces, which every client reads alike. Only that spelling may go into a `Location` header.
 *
 * It refuses anything but an absolute http or https URL, credentials (they disguise the host), control characters and
 * broken UTF-16 (a parser would drop or replace them silently), more than 8192 characters once encoded, placeholders
 * that nothing fills in, and the service's own short links, which could lead in a circle. The fault continues a sentence
 * that begins with the name of the field.
 *
 * @param publicUrl Base of short links, without a trailing slash.
 * @param findDomain Finds the own domain that is served at a host.
 */
export const checkDestination = (
  pasted: string,
  publicUrl: string,
  placeholders: Placeholders,
  findDomain: (host: string) => object | undefined = () => undefined,
): Result<string, string> => {
  const written = trimUrl(pasted);
  if (written.length > WRITTEN_MAX) return refused(TOO_LONG);
  if (/[\p{Cc}\p{Surrogate}]/u.test(written)) return refused('must not contain control characters');
  const masked = maskTemplate(written, placeholders);
  if (!masked.ok) return masked;
  const text = masked.value?.text ?? written;
  const url = /^https?:\/\/[^/\\?#]/i.test(text) ? parseUrl(text) : null;
  if (url === null) return refused('must be an absolute http or https URL');
  // The parser makes braces of those that are written wide, as in `｛path｝`.
  if (/[{}]/.test(url.host)) return refused('must not have braces in its host');
  if (url.username || url.password) return refused('must not contain a user name or password');
  if (isOwnUrl(url, publicUrl, /^\/l\//)) return refused('must not be one of our own short links');
  if (findDomain(hostOf(url)) !== undefined)
    return refused('must not be on a domain of short links, where it could lead in a circle');
  if (masked.value?.isIn(url.pathname) && isOwnUrl(url, publicUrl, /^/))
    return refused('must not fill in the path of our own address, because it could become a short link');
  const href = masked.value?.unmask(url.href) ?? url.href;
  if (href.length > HREF_MAX) return refused(TOO_LONG);
  return ok(href);
};

/** Whether a stored destination may become a header. All that `checkDestination` returns may. */
export const isRedirectable = (href: string): boolean => /^https?:\/\/[\x21-\x7e]+$/.test(href);
