/** Recognises the service's own addresses in every notation of a URL. */
import { isIP } from 'node:net';
import { posix } from 'node:path';
import ipaddr from 'ipaddr.js';

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
