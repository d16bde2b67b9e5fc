import { integer, oneOf, publicUrl, text, trustedProxies } from '../parse.ts';
import { defineVariable } from './variable.ts';

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
  TRUST_PROXY: defineVariable(
    'false',
    trustedProxies,
    'proxies whose X-Forwarded-For is believed',
    'loopback,10.0.0.0/8',
  ),
} as const;
