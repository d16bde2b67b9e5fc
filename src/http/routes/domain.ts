/** What own domains answer besides short links, as their owners have set it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainAnswers } from '../../db/tables/domains/domains.ts';
import type { ServedDomain } from '../../db/tables/domains/served.ts';
import type { Directory } from '../../domains/directory.ts';
import { AppError } from '../../errors.ts';
import { DOMAIN_ROUTE, domainOf } from '../hosts.ts';

/** How long clients and caches may keep an answer. An owner may correct it. */
const KEPT = 'public, max-age=300';

const unknown = (): AppError => new AppError('not_found', 'There is nothing at this address.');

/** Redirects, never to be cached. */
const lead = (reply: FastifyReply, url: string): FastifyReply =>
  reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex').redirect(url, 302);

/** Sends a text that no browser runs: `nosniff` is on every answer. */
const sendText = (reply: FastifyReply, type: string, text: string): FastifyReply =>
  reply.type(`${type}; charset=utf-8`).header('cache-control', KEPT).serializer(String).send(text);

/** Where an unknown slug leads at the former address of the links: the same path and query. */
const formerUrl = (fallbackUrl: string, path: string): string => `${fallbackUrl.replace(/\/$/, '')}${path}`;

/** Returns the path below the prefix of a domain, with the query, as it was sent: printable ASCII. */
const pathBelow = (url: string, { prefix }: ServedDomain): string => {
  const base = prefix === '' ? '' : `/${prefix}`;
  const path = url.startsWith(`${base}/`) ? url.slice(base.length) : url;
  return path.replace(/[^\x21-\x7e]/g, encodeURIComponent);
};

/** @throws {AppError} 503 when the database must be asked, and is away. */
const answersAt = (directory: Directory, { id }: ServedDomain): Promise<DomainAnswers | null> =>
  directory.answersOf(id).catch((cause: unknown) => {
    throw new AppError('unavailable', 'This address cannot be looked up at the moment; try again.', {
      retryAfterS: 2,
      cause,
    });
  });

/**
 * Answers what leads nowhere at a domain. `null`: the service's own answer is to be given.
 *
 * @param isUnknown Whether no link of the domain ever had the address. Only such addresses lead to the former one.
 */
export const answerLost = async (
  directory: Directory,
  request: FastifyRequest,
  reply: FastifyReply,
  isUnknown: boolean,
): Promise<FastifyReply | null> => {
  const { domain } = request.raw;
  if (domain === undefined) return null;
  const answers = await answersAt(directory, domain.served);
  if (answers === null) return null;
  const { fallbackUrl, unknownUrl, unknownText } = answers;
  if (fallbackUrl !== null && isUnknown)
    return lead(reply, formerUrl(fallbackUrl, pathBelow(domain.url, domain.served)));
  if (unknownUrl !== null) return lead(reply, unknownUrl);
  if (unknownText === null) return null;
  return sendText(reply.code(404), unknownText.type, unknownText.text);
};

/** What is answered at the paths that have a meaning of their own. */
const AT: Readonly<Record<string, (answers: DomainAnswers, reply: FastifyReply) => FastifyReply | null>> = {
  '/': ({ rootUrl }, reply) => (rootUrl === null ? null : lead(reply, rootUrl)),
  '/favicon.ico': ({ faviconUrl }, reply) => (faviconUrl === null ? null : lead(reply, faviconUrl)),
  '/robots.txt': ({ robots }, reply) => (robots === null ? null : sendText(reply, 'text/plain', robots)),
  '/.well-known/assetlinks.json': ({ assetlinks }, reply) =>
    assetlinks === null ? null : sendText(reply, 'application/json', assetlinks),
  '/.well-known/apple-app-site-association': ({ appleAppSiteAssociation: text }, reply) =>
    text === null ? null : sendText(reply, 'application/json', text),
};

/** Adds the route that answers at own domains whatever is neither a short link, a picture nor a Digital Link URI. */
export const domainRoute =
  ({ directory }: { readonly directory: Directory }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { domain } = request.raw;
      if (domain === undefined || domainOf(request) === null) throw unknown();
      const answers = await answersAt(directory, domain.served);
      const path = domain.url.split('?', 1)[0]!;
      const special = Object.hasOwn(AT, path) ? AT[path]! : undefined;
      const found = answers === null ? null : special?.(answers, reply);
      if (found) return found;
      // The former host never gets what proves a host or an app.
      if (special !== undefined || path.startsWith('/.well-known/')) throw unknown();
      const told = await answerLost(directory, request, reply, true);
      if (told === null) throw unknown();
      return told;
    };
    const options = {
      config: { name: 'domain', ignoresHeaders: true },
      schema: { hide: true },
      exposeHeadRoute: false,
    };
    app.get(DOMAIN_ROUTE, options, answer);
    app.head(DOMAIN_ROUTE, options, answer);
  };
