/** Names of hosts, as accounts register them and as requests carry them. */
import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { ok, type Result, refused } from '../result.ts';

/** RFC 1035: a label has at most 63 octets, a name 253. */
const NAME_MAX = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
/** RFC 5891, 4.2.3.1: hyphens in the third and fourth place are for encoded labels alone. */
const RESERVED_HYPHENS = /^(?!xn--)..--/;

/**
 * The characters of IDNA 2008 (RFC 5892): letters, marks and digits, and the exceptions of its section 2.6. The mapping
 * of UTS 46, which Node applies, has lower-cased and composed the text, and also takes symbols and emoji.
 */
const PERMITTED = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\-·͵׳״・\u06fd\u06fe\u0f0b\u3007\u200c\u200d]+$/u;
const DISALLOWED = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u;

const isPermitted = (label: string): boolean => {
  if (!label.startsWith('xn--')) return true;
  const shown = domainToUnicode(label);
  return shown !== label && PERMITTED.test(shown) && !DISALLOWED.test(shown);
};

/** Names that no public name server answers (RFC 6761, RFC 6762, RFC 8375, RFC 9476), and those of clouds' own networks. */
const NOT_PUBLIC =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|invalid|test|onion|alt|arpa)$/;

/**
 * Returns the host in the form in which it is compared: ASCII, lower case, without a trailing dot. The fault continues a
 * sentence that begins with the name of the field.
 */
export const readHost = (written: string): Result<string, string> => {
  const text = written.trim();
  if (/[/?#@\\]/.test(text)) return refused('must be a host alone, without https:// and without a path');
  if (/:\d*$/.test(text)) return refused('must have no port: short links use that of https');
  const host = domainToASCII(text.replace(/[.。．｡]$/u, ''));
  if (host === '' || host.length > NAME_MAX)
    return refused('must be the name of a host, such as qr.brand.example');
  if (isIP(host) || /^\d+$/.test(host.slice(host.lastIndexOf('.') + 1)))
    return refused('must be a name, not an address');
  const labels = host.split('.');
  if (labels.length < 2) return refused('must be a whole name, such as qr.brand.example');
  if (!labels.every((label) => LABEL.test(label) && !RESERVED_HYPHENS.test(label)))
    return refused('must consist of letters, digits and hyphens, with dots between its labels');
  if (!labels.every(isPermitted)) return refused('has characters that IDNA 2008 does not allow in names');
  if (NOT_PUBLIC.test(host)) return refused('must be a name that the public name servers know');
  return ok(host);
};

/** Returns the names of the hosts of addresses of the service itself, which no account can register. */
export const ownHosts = (urls: readonly (string | null)[]): readonly string[] =>
  urls.flatMap((url) => (url === null || url === '' ? [] : [new URL(url).hostname]));

/** A host as a browser sends it is short and in lower case already. */
const PLAIN = /^[a-z0-9.-]+$/;

/** Returns the name in a `Host` header, without port and trailing dot; '' for what is none. */
export const hostOfHeader = (header: string | undefined): string => {
  if (header === undefined) return '';
  const name = header.replace(/:\d*$/, '').replace(/\.$/, '');
  return PLAIN.test(name) ? name : name.toLowerCase();
};
