import { namesOf } from '../../../workers/lists.ts';
import { REFUND_POLICIES } from '../../lists.ts';
import { defineVariable, integer, nameServers, oneOf, publicUrl, text, trustedProxies } from '../parse.ts';

const POLICIES = Object.entries(REFUND_POLICIES)
  .map(([name, { meaning }]) => `\`${name}\` ${meaning}`)
  .join(', ');

/** What an account may use. */
export const ACCOUNTS = {
  RATE_LIMIT_PER_SECOND: defineVariable(
    '50',
    integer(0, 1_000_000),
    'requests a second of an account, over all its keys and sessions; `0` = off',
  ),
  KEYS_PER_ACCOUNT_MAX: defineVariable('100', integer(1, 1000), 'keys that an account may have'),
  IMPORTED_LINKS_PER_ACCOUNT_MAX: defineVariable(
    '2000000',
    integer(0, 1_000_000_000),
    'short links that an account may import in all, those deleted since included',
  ),
  FREE_WORK_MS_PER_SECOND: defineVariable(
    '500',
    integer(0, 1_000_000),
    'milliseconds a second that an account may use of the main thread, the database and the threads for what costs no units, counted by each gateway; ten seconds of it may be used at once; `0` = off',
  ),
  PLAN_FREE_MONTHLY: defineVariable(
    '100',
    integer(0, 1_000_000_000_000),
    'monthly quota of the Free plan, unless the account has its own',
  ),
  PLAN_PRO_MONTHLY: defineVariable(
    '10000',
    integer(0, 1_000_000_000_000),
    'monthly quota of the Pro plan, unless the account has its own',
  ),
  QUOTA_REFUND: defineVariable(
    'failed',
    oneOf(...namesOf(REFUND_POLICIES)),
    `which failed items of bulk calls and rows of batches are refunded: ${POLICIES}; one below \`Tessera-Min-Grade\` always is`,
  ),
  QUOTA_RESERVATION_TTL_MS: defineVariable(
    '60000',
    integer(1000, 3_600_000),
    'milliseconds after which an unsettled reservation is given back',
  ),
} as const;

/** Where the service is reached, and what is in front of it. */
export const ADDRESSES = {
  HOST: defineVariable(
    '127.0.0.1',
    text(/^[\w.:-]{1,255}$/, 'must be a host name or an IP address'),
    'listen address',
    '0.0.0.0',
  ),
  PORT: defineVariable('3000', integer(0, 65535), 'listen port; `0` takes a free one'),
  PUBLIC_URL: defineVariable(
    null,
    publicUrl,
    'base of short links; default `http://HOST:PORT`',
    'https://qr.example.com',
  ),
  UNKNOWN_HOSTS: defineVariable(
    'serve',
    oneOf('serve', 'refuse'),
    'requests for hosts that are neither those of `PUBLIC_URL` and `RESOLVER_URL` nor proved domains: answered as those for `PUBLIC_URL`, or refused with a 421, which needs `PUBLIC_URL`; `/healthz`, `/readyz`, `/metrics` and `/tls/ask` always answer',
    'refuse',
  ),
  RESOLVER: defineVariable(
    'off',
    oneOf('off', 'on'),
    'whether Digital Link URIs are answered, as in [gs1.md](gs1.md#resolver)',
    'on',
  ),
  RESOLVER_URL: defineVariable(
    null,
    publicUrl,
    'base of Digital Link URIs; default: `PUBLIC_URL`; if it has its own host, that host serves nothing else',
    'https://id.example.com',
  ),
  RESOLVER_CACHE_MAX: defineVariable(
    '100000',
    integer(1000, 10_000_000),
    'items of the resolver that each process holds in memory; each takes 16 KiB at most',
  ),
  RESOLVER_ITEMS_PER_ACCOUNT_MAX: defineVariable(
    '100000',
    integer(1, 10_000_000),
    'items of the resolver that an account may have',
  ),
  DOMAINS_PER_ACCOUNT_MAX: defineVariable(
    '50',
    integer(0, 10_000),
    'hosts of its own that an account may register for its short links',
  ),
  DOMAIN_NAME_SERVERS: defineVariable(
    null,
    nameServers,
    'name servers that are asked for the proofs of domains; default: those of the system',
    '1.1.1.1,[2606:4700:4700::1111]:53',
  ),
  TRUST_PROXY: defineVariable(
    'false',
    trustedProxies,
    'proxies whose X-Forwarded-For is believed',
    'loopback,10.0.0.0/8',
  ),
} as const;
