/** Environment values that the gateway accepts although they look wrong. */
import { isIP } from 'node:net';
import type { Config } from '../../config/config.ts';
import { parseRedisUrl } from '../../redis/url.ts';
import { type Finding, faultsOr, findingsOf } from '../finding.ts';

const { ok, warn, fail } = findingsOf('settings');

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

const PRIVATE_V4 = /^(0\.0\.0\.0$|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/;
const PRIVATE_V6 = /^(::|f[cd]|fe[89ab])/i;

/** Names and addresses that only a machine, or a private network, knows. */
const isPrivate = (hostname: string): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 6) return PRIVATE_V6.test(host);
  return isLoopback(host) || PRIVATE_V4.test(host) || !host.includes('.');
};

const publicUrlOf = ({ publicUrl, host, port }: Config): URL =>
  new URL(publicUrl ?? `http://${host}:${port}`);

const tellPublicUrl = (config: Config): Finding | null => {
  const { hostname, protocol, origin } = publicUrlOf(config);
  if (isPrivate(hostname)) {
    return warn(
      `PUBLIC_URL is ${origin}, which others cannot reach, and printed short links begin with it: set the address that people use.`,
    );
  }
  return protocol === 'http:'
    ? warn('PUBLIC_URL begins with http: keys and visits are sent unencrypted; serve it over https.')
    : null;
};

const tellProxy = (config: Config): Finding | null => {
  if (config.trustProxy === true) {
    return warn('TRUST_PROXY is true, so every caller can forge its address: name your proxies instead.');
  }
  const isBehindOne = publicUrlOf(config).protocol === 'https:';
  return isBehindOne && config.trustProxy === false
    ? warn(
        'TRUST_PROXY is not set, and PUBLIC_URL is https, which a proxy must serve: all callers seem to have its address; name it.',
      )
    : null;
};

const WEAK = /example|change|secret|password|token|long-random|12345|tessera|postgres|admin/i;
/** Random text of 16 characters hardly ever has fewer distinct ones. */
const DIFFERENT_MIN = 8;

const isWeak = (secret: string): boolean => WEAK.test(secret) || new Set(secret).size < DIFFERENT_MIN;

const tellAdminToken = ({ adminToken, databaseUrl }: Config): Finding | null => {
  if (adminToken !== null) {
    return isWeak(adminToken)
      ? fail('ADMIN_TOKEN can be guessed: set a random one, for example with openssl rand -hex 24.')
      : null;
  }
  return databaseUrl === null
    ? null
    : warn('ADMIN_TOKEN is not set, so the admin API and the operator’s screen are off: set a random one.');
};

const tellPassword = (name: string, host: string, password: string | null): Finding | null => {
  // Without a host it is a socket of this machine.
  if (host === '' || isLoopback(host) || (password !== null && !isWeak(password))) return null;
  return warn(
    `${name} has ${password ? 'a password that can be guessed' : 'no password'}: set a random one.`,
  );
};

const tellDatabase = ({ databaseUrl }: Config): Finding | null => {
  // Several hosts separated by commas are not a URL, but the password is in the same place.
  const [, login = '', host = ''] = /^\w+:\/\/(?:([^@/]*)@)?([^:,/?]*)/.exec(databaseUrl ?? '') ?? [];
  const colon = login.indexOf(':');
  const isInQuery = /[?&](password|sslcert)=/.test(databaseUrl ?? '');
  if (databaseUrl === null || isInQuery) return null;
  return tellPassword('DATABASE_URL', host, colon === -1 ? null : login.slice(colon + 1));
};

const tellRedis = ({ redisUrl }: Config): Finding | null => {
  if (redisUrl === null) return null;
  const { hosts, password } = parseRedisUrl(redisUrl);
  return tellPassword('REDIS_URL', hosts[0]!.host, password);
};

const tellLooseSettings = (config: Config): readonly (Finding | false)[] => [
  config.logo.allowPrivateNetworks &&
    warn('LOGO_ALLOW_PRIVATE_NETWORKS is true: callers may make the gateway fetch from private addresses.'),
  config.webhooks.allowPrivateNetworks &&
    warn('WEBHOOK_ALLOW_PRIVATE_NETWORKS is true: callers may make the gateway call private addresses.'),
  config.rateLimitPerSecond === 0 &&
    warn('RATE_LIMIT_PER_SECOND is 0: an account may send as many requests as it likes.'),
  config.metricsPublic && warn('METRICS_PUBLIC is true: anyone can read /metrics.'),
  ['debug', 'trace', 'silent', 'fatal'].includes(config.logLevel) &&
    warn(`LOG_LEVEL is ${config.logLevel}: in production, info or warn is enough.`),
];

/** Says which settings are odd. It never reveals a secret. */
export const checkSettings = (config: Config): readonly Finding[] =>
  faultsOr(
    [
      ...config.notes.map(warn),
      tellPublicUrl(config),
      tellProxy(config),
      tellAdminToken(config),
      tellDatabase(config),
      tellRedis(config),
      ...tellLooseSettings(config),
    ],
    ok('The environment has no faults and no odd values.'),
  );
