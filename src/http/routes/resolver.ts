/** Answers Digital Link URIs: GS1-Conformant Resolver Standard 1.2.0. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { AppError } from '../../errors.ts';
import { payFor } from '../../execution/payer.ts';
import { HREF_MAX } from '../../links/destination.ts';
import { noteScan } from '../../links/scan.ts';
import { type Asked, hasAttributes, PRIMARY_KEYS, readRequest } from '../../resolver/key.ts';
import { toAskedRel } from '../../resolver/link-types.ts';
import { descriptionOf, LINKSET_CONTEXT, LINKSET_TYPE } from '../../resolver/linkset.ts';
import { addressOf, type FoundItem, resolve } from '../../resolver/resolve.ts';
import type { Resolver } from '../../resolver/resolver.ts';
import { fillLinks, hrefOf } from '../../resolver/templates.ts';
import { requireHere } from '../hosts.ts';
import { createLinksetTexts, LINKSET_FORMATS, type LinksetFormat } from '../linkset-page.ts';
import { codingFor, varyByEncoding } from '../protocol/compression.ts';
import { PAGE_POLICY, RESOLVE } from '../short-link-page.ts';
import type { Services } from './services.ts';

/** 2.2: any page may ask. */
const CORS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};
const METHODS = 'GET, HEAD, OPTIONS';
const PREFLIGHT = {
  allow: METHODS,
  'access-control-allow-methods': METHODS,
  'access-control-allow-headers': 'Accept, Accept-Language',
};

const CONTEXT_LINK = `<${LINKSET_CONTEXT}>; rel="http://www.w3.org/ns/json-ld#context"; type="application/ld+json"`;

/** No real client sends longer ones. */
const ACCEPT_MAX_CHARACTERS = 1000;

/** A request without `Accept` gets a page (2.10). */
const formatOf = (accept: string | undefined): LinksetFormat => {
  if (accept === undefined) return 'text/html';
  if (accept.length > ACCEPT_MAX_CHARACTERS) return LINKSET_TYPE;
  const format = new Negotiator({ headers: { accept } }).mediaType([...LINKSET_FORMATS]);
  return (format as LinksetFormat | undefined) ?? LINKSET_TYPE;
};

/** No address with a longer query fits a code. */
const QUERY_MAX_CHARACTERS = 4296;

/** What a query says to the resolver. Everything else is for the target. */
const readQuery = (query: string) => {
  if (query === '') return { linkType: null, context: null };
  if (query.length > QUERY_MAX_CHARACTERS)
    throw new AppError('invalid_query', `The query must have at most ${QUERY_MAX_CHARACTERS} characters.`);
  const parameters = new URLSearchParams(query);
  return {
    linkType: parameters.get('linkType') ?? parameters.get('linktype'),
    context: parameters.get('context'),
  };
};

/** `all` is the earlier name, which clients still send: release 1.0.0 of the standard deprecated it. */
const asksForLinkset = (linkType: string | null, accept: string | undefined): boolean =>
  linkType === 'linkset' ||
  linkType === 'all' ||
  (accept?.includes(LINKSET_TYPE) === true && formatOf(accept) === LINKSET_TYPE);

const DESCRIPTION = '/.well-known/gs1resolver';

const isDescription = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url === DESCRIPTION;

/** What a request asks for, and the header that names its linkset. */
interface Read {
  readonly asked: Asked;
  readonly link: string;
}

/** Paths whose reading is cached: it takes a tenth of the time of a redirect. */
const PATHS_MAX = 10_000;

/** Makes the function that reads the address of a request. */
const createReader = (root: () => string) => {
  const known = new LRUCache<string, Read>({ max: PATHS_MAX });
  const linkTo = ({ path }: Asked): string =>
    `<${root()}${path}?linkType=linkset>; rel="linkset"; type="${LINKSET_TYPE}"; title="All links"`;

  return ({ raw: { url = '' } }: FastifyRequest): Read & { readonly query: string } => {
    const at = url.indexOf('?');
    const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
    const isPlain = !hasAttributes(query);
    const kept = isPlain ? known.get(path) : undefined;
    // Field by field: spreading objects takes longer, and this runs for every redirect.
    if (kept !== undefined) return { asked: kept.asked, link: kept.link, query };
    const asked = readRequest(path, query);
    if (!asked.ok)
      throw new AppError('invalid_params', `The path must be a GS1 Digital Link URI: ${asked.fault}.`);
    const read = { asked: asked.value, link: linkTo(asked.value) };
    if (isPlain) known.set(path, read);
    return { ...read, query };
  };
};

const unknownItemError = (items: readonly FoundItem[]): AppError =>
  new AppError(
    'not_found',
    items.length === 0
      ? 'This resolver does not know this identifier.'
      : 'This identifier has no link of this type; ?linkType=linkset lists the links that it has.',
  );

/** @throws {AppError} 400 when an address became too long with what was filled in. */
const within = (href: string): string => {
  if (href.length <= HREF_MAX) return href;
  throw new AppError(
    'invalid_query',
    `An address of this identifier would have more than ${HREF_MAX} characters with the parameters of the query; leave some out.`,
  );
};

/** Returns the items with the addresses of the request. */
const filledIn = (items: readonly FoundItem[], asked: Asked, query: string): readonly FoundItem[] =>
  items.map((item) => {
    const links = fillLinks(item.links, asked, query);
    if (links === item.links) return item;
    for (const { href } of links) within(href);
    return { ...item, links };
  });

/** What the routes need. */
export interface ResolverServices {
  readonly resolver: Pick<Resolver, 'lookup' | 'root'>;
  readonly links: Pick<Services['links'], 'scans'>;
}

/** Adds the routes of the resolver, unless it is off. A redirect counts as a scan of the most specific item. */
export const resolverRoutes =
  ({ resolver: { lookup, root }, links: { scans } }: ResolverServices): FastifyPluginAsyncTypebox =>
  async (app) => {
    if (lookup === null) return;
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(CORS);
      done();
    });

    const read = createReader(root);
    const textOf = createLinksetTexts();

    const sendLinkset = (reply: FastifyReply, items: readonly FoundItem[]): FastifyReply => {
      const format = formatOf(reply.request.headers.accept);
      reply
        .header('vary', 'Accept, Accept-Language')
        .header('access-control-expose-headers', 'Link')
        .header('link', CONTEXT_LINK);
      if (format === 'text/html')
        reply.type('text/html; charset=utf-8').header('content-security-policy', PAGE_POLICY);
      else reply.type(format);
      const write = async (): Promise<Buffer> => {
        const { plain, compressed } = textOf(format, items, root());
        const encoding = codingFor(reply.request, plain);
        if (encoding === null) return plain;
        const bytes = await compressed(encoding);
        varyByEncoding(reply);
        reply.header('content-encoding', encoding);
        return bytes;
      };
      // Some take milliseconds, and anybody may ask for many different ones.
      const payer = reply.server.meter.payerAt(reply.request.ip);
      void payer
        .rest()
        .then(() => payFor(payer, write))
        .then(
          (bytes) => reply.send(bytes),
          (error: unknown) => reply.send(error),
        );
      return reply;
    };

    const answer = (
      request: FastifyRequest,
      reply: FastifyReply,
      { asked, query, link }: ReturnType<typeof read>,
      items: readonly FoundItem[],
    ): FastifyReply => {
      const { accept, 'accept-language': language } = request.headers;
      const { linkType, context } = readQuery(query);
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
      for (const { accountId } of items) requireHere(request, accountId);
      if (items.length === 0) throw unknownItemError(items);
      if (asksForLinkset(linkType, accept)) return sendLinkset(reply, filledIn(items, asked, query));
      const wanted = linkType === null ? null : toAskedRel(linkType);
      const answered = resolve(items, wanted, { accept, language, context });
      if (answered.kind === 'none') throw unknownItemError(items);
      reply.header('link', link);
      if (answered.kind === 'choices')
        return sendLinkset(reply.code(300), filledIn([answered.item], asked, query));
      if (request.method === 'GET') scans.record(noteScan(items[0]!.slug, request.ip, request.headers));
      return reply
        .header('vary', 'Accept, Accept-Language')
        .redirect(addressOf(within(hrefOf(answered.link, asked, query)), query), 307);
    };

    const handle = (request: FastifyRequest, reply: FastifyReply) => {
      const parts = read(request);
      const items = lookup.find(parts.asked);
      // What is in memory is answered without a promise, which would cost as much as the rest of the work.
      if (items !== undefined) return void answer(request, reply, parts, items);
      return lookup.lookUp(parts.asked).then((found) => {
        if (found !== null) return answer(request, reply, parts, found);
        // Never a 404, because the identifier may be known again in a second.
        throw new AppError('unavailable', 'This identifier cannot be looked up at the moment; try again.', {
          retryAfterS: 2,
        });
      });
    };

    const options = { config: { name: RESOLVE }, schema: { hide: true }, exposeHeadRoute: false } as const;
    /** GS1's test suite looks for the link to the linkset here too. */
    const sendMethods = async (request: FastifyRequest, reply: FastifyReply) => {
      reply.code(204).headers(PREFLIGHT);
      return (isDescription(request) ? reply : reply.header('link', read(request).link)).send();
    };
    const add = (url: string, handler: typeof handle) => {
      app.get(url, options, handler);
      app.head(url, options, handler);
      app.options(url, options, sendMethods);
    };
    for (const ai of PRIMARY_KEYS) add(`/${ai}/*`, handle);
    add(DESCRIPTION, (_request, reply) => {
      reply.header('cache-control', 'public, max-age=300').serializer(JSON.stringify);
      void reply.type('application/json').send(descriptionOf(root()));
    });
  };

/**
 * Serves only the resolver on the resolver's host, and everything else on all other hosts. Call it before any route is
 * registered. @param host `null`: one host serves both.
 */
export const separateHosts = (gateway: FastifyInstance, host: string | null): void => {
  if (host === null) return;
  gateway.addHook('onRequest', (request, _reply, done) => {
    const isOfResolver = request.routeOptions.config?.name === RESOLVE;
    if (isOfResolver === (request.host.toLowerCase() === host)) return done();
    done(new AppError('not_found', 'There is no such path on this host.'));
  });
};
