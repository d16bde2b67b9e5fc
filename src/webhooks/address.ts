/** Which addresses a webhook may have. */
import { isIP } from 'node:net';
import { isLocalName, isPublicAddress } from '../logo/fetch/address.ts';
import { urlFault } from '../logo/fetch/fetch.ts';
import { parseUrl } from '../parse-url.ts';
import { ok, type Result, refused } from '../result.ts';

const LENGTH_MAX = 2000;
/** '' is the port of https itself. */
const PUBLIC_PORTS: readonly string[] = ['', '8443'];

/**
 * Checks the URL of a webhook as the caller wrote it, and returns it as the URL standard writes it. Names are looked up
 * when something is sent. The fault continues a sentence that begins with the name of the field.
 *
 * @param allowPrivateNetworks Allows plain http, every port and addresses that are not public.
 */
export const checkWebhookUrl = (written: string, allowPrivateNetworks: boolean): Result<string, string> => {
  if (written.length > LENGTH_MAX) return refused(`must have at most ${LENGTH_MAX} characters`);
  const url = parseUrl(written);
  if (url === null) return refused('must be an absolute https URL');
  // It is never sent. An empty one is in `href` alone.
  if (url.href.includes('#')) return refused('must have no fragment (#…), which is not sent: leave it out');
  if (allowPrivateNetworks) return urlFault(url) === null ? ok(url.href) : refused(ANY_RULE);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return refused(PUBLIC_RULE);
  if (!PUBLIC_PORTS.includes(url.port)) return refused('must use port 443 or 8443');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isInside = isLocalName(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  return isInside ? refused('must lead to a public address') : ok(url.href);
};

const PUBLIC_RULE = 'must be an absolute https URL without user name and password';
const ANY_RULE = 'must be an absolute http or https URL without user name and password';
