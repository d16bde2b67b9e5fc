/** Whether a URL is one of our own short links, whatever notation it is written in. */
import { isIP } from 'node:net';
import { posix } from 'node:path';
import ipaddr from 'ipaddr.js';

/** A proxy may decode a path once more than a browser shows it. */
const DECODED_TIMES = 4;

/** Every name of the machine itself: whoever listens on one of them mostly listens on all. */
const THIS_MACHINE = 'localhost';

/** The WHATWG URL standard has brought case, punycode and the notations of IPv4 to one form by now. */
const hostOf = (url: URL): string => {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (/(^|\.)localhost$/.test(host)) return THIS_MACHINE;
  if (!isIP(host)) return host;
  // `process` takes an IPv4 address out of IPv6.
  const address = ipaddr.process(host);
  return ['loopback', 'unspecified'].includes(address.range()) ? THIS_MACHINE : address.toString();
};

/** By either scheme: a proxy that leads from http to https makes them one site. */
const portOf = ({ port }: URL): string => (port === '80' || port === '443' ? '' : port);

/** As a router or a proxy in front of it may read it: decoded, dots resolved, slashes merged. */
const pathOf = ({ pathname }: URL): string => {
  let path = pathname;
  for (let times = 0; times < DECODED_TIMES; times += 1) {
    // Only ASCII, so that a broken sequence elsewhere hides nothing.
    path = path.replace(/%([0-7][\da-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return posix.normalize(path.replaceAll('\\', '/')).replace(/^\/+/, '/');
};

/** @param publicUrl Base of short links, without a trailing slash. */
export const isOwnShortLink = (url: URL, publicUrl: string): boolean => {
  const own = new URL(publicUrl);
  if (hostOf(url) !== hostOf(own) || portOf(url) !== portOf(own)) return false;
  return pathOf(url).startsWith(`${pathOf(own).replace(/\/$/, '')}/l/`);
};
