/** Which domain a request is for, by its host, and what of the service is reached there. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { ServedDomain } from '../db/tables/domains/served.ts';
import { hostOfHeader, ownHosts } from '../domains/host.ts';
import { AppError } from '../errors.ts';

declare module 'node:http' {
  interface IncomingMessage {
    /** The own domain at which the request was made, and its address there; absent: the service's own hosts. */
    domain?: { readonly served: ServedDomain; readonly url: string };
  }
}

/** Returns the own domain at which a request was made; `null`: it was made at one of the service's own hosts. */
export const domainOf = ({ raw }: FastifyRequest): ServedDomain | null => raw.domain?.served ?? null;

/** The route of everything at an own domain that is neither a short link, a picture nor a Digital Link URI. */
export const DOMAIN_ROUTE = '/.domain';

/** Signed pictures, and Digital Link URIs: a primary key and its value. */
const PASSED =
  /^\/(?:i\/[^/]+\/|(?:0[01]|253|255|40[12]|41[457]|80(?:0[346]|1[0378]))\/[^/?]|\.well-known\/gs1resolver$)/;

/** Returns the path that is routed for an address at a domain. */
const routedUrl = (url: string, { prefix }: ServedDomain): string => {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  if (PASSED.test(path)) return url;
  const base = prefix === '' ? '/' : `/${prefix}/`;
  const first = path[base.length];
  // Slugs begin with a letter or digit; so do paths of no other kind but those above.
  if (
    path.startsWith(base) &&
    first !== undefined &&
    /[0-9A-Za-z]/.test(first) &&
    !isFile(path.slice(base.length))
  )
    return `/l/${url.slice(base.length)}`;
  return DOMAIN_ROUTE;
};

/** Returns the path and the query of a request target, which may be a whole address (RFC 9112, 3.2). */
const pathOf = (target: string): string => {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
};

/** `robots.txt` and the like are no slugs: those have no dots. */
const isFile = (rest: string): boolean => /^[^/]*\.[a-z]+$/i.test(rest);

/** Finds the domain that is served at a host. */
export type FindDomain = (host: string) => ServedDomain | undefined;

/** Returns the host of a request: of `X-Forwarded-Host` the last entry counts, and only from a trusted proxy. */
const createHostOf = (trustProxy: Config['trustProxy']): ((request: IncomingMessage) => string) => {
  const trusts = compileTrust(trustProxy);
  return ({ headers, socket }) => {
    const forwarded = headers['x-forwarded-host'];
    if (forwarded === undefined || trusts === null || !trusts(socket.remoteAddress ?? '', 0))
      return hostOfHeader(headers.host);
    const all = String(forwarded);
    return hostOfHeader(all.slice(all.lastIndexOf(',') + 1).trim());
  };
};

const compileTrust = (trustProxy: Config['trustProxy']) => {
  if (trustProxy === false) return null;
  if (trustProxy === true) return () => true;
  return proxyAddr.compile(trustProxy.split(',').map((part) => part.trim()));
};

/**
 * Makes what rewrites the target of a request to its path and query, and at an own domain further: short links there
 * become `/l/<slug>`, and everything that is not reached there becomes one route. `request.raw.domain` keeps the domain.
 */
export const createHostRouter = (
  { trustProxy }: Pick<Config, 'trustProxy'>,
  find: FindDomain,
): ((request: IncomingMessage) => void) => {
  const hostOf = createHostOf(trustProxy);
  return (request) => {
    const target = request.url ?? '/';
    const url = pathOf(target);
    if (target !== '*') request.url = url;
    const served = find(hostOf(request));
    if (served === undefined) return;
    request.domain = { served, url };
    request.url = routedUrl(url, served);
  };
};

/**
 * Refuses what is another account's at an own domain, as if it did not exist.
 *
 * @throws {AppError} 404.
 */
export const requireHere = (request: FastifyRequest, accountId: string): void => {
  const domain = domainOf(request);
  if (domain !== null && domain.accountId !== accountId)
    throw new AppError('not_found', 'There is nothing at this address.');
};

/** The hosts of the service itself, and who may say which one a request is for. */
export type OwnHosts = Pick<Config, 'trustProxy' | 'publicUrl' | 'resolver'>;

/** Paths that health checks and proxies call by any host. */
const OF_ANY_HOST: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/tls/ask']);

/** Refuses requests for hosts that are neither the service's nor domains. Call it before any route is registered. */
export const refuseUnknownHosts = (
  gateway: FastifyInstance,
  { trustProxy, publicUrl, resolver }: OwnHosts,
): void => {
  const hostOf = createHostOf(trustProxy);
  const own = new Set(ownHosts([publicUrl, resolver.url]));
  gateway.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    if (raw.domain !== undefined || own.has(hostOf(raw)) || OF_ANY_HOST.has(routeOptions.url ?? ''))
      return done();
    done(new AppError('unknown_host', 'This service does not answer for this host.'));
  });
};

/** Makes strangers to a domain's route at the service's own hosts get a 404. Call it before any route is registered. */
export const keepApart = (gateway: FastifyInstance): void => {
  gateway.addHook('onRequest', (request, _reply, done) => {
    const isForDomain = request.routeOptions.url === DOMAIN_ROUTE;
    if (!isForDomain || request.raw.domain !== undefined) return done();
    done(new AppError('not_found', 'There is no such path.'));
  });
};
