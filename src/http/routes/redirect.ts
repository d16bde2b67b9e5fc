import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import { HREF_MAX } from '../../links/destination.ts';
import type { Redirect } from '../../links/redirects.ts';
import { noteScan } from '../../links/scan.ts';
import { type Visit, visitOf } from '../../links/visit.ts';
import { domainOf } from '../hosts.ts';
import { describePageErrors, OtherError } from '../schemas/atoms.ts';
import { withHeaders } from '../schemas/openapi/headers.ts';
import { describeRoutes } from '../schemas/openapi/openapi.ts';
import { answerUnknown } from './domain.ts';
import type { Services } from './services.ts';

const Params = Type.Object({ slug: Type.String() });
const SlashParams = Type.Object({ slug: Type.String(), '*': Type.String() });

const Leads = withHeaders(
  {
    type: 'null',
    description: "Redirects to the destination. A dead link redirects to its account's `dead_link_url`.",
  },
  'Location',
  'Cache-Control',
);

/** The segments of the path up to the slug: `/l/<slug>`. */
const DEPTH = 2;

const visitIn = ({ raw: { url = '' } }: FastifyRequest): Visit => visitOf(url, DEPTH);

/** Adds the route of short links. It redirects with 302 and records one scan. */
export const redirectRoute =
  ({
    links: { redirects, scans },
    directory,
  }: Pick<Services, 'links' | 'directory'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Links');

    const destinationOf = (found: Redirect): string => {
      if (found.kind === 'found' || found.kind === 'dead') return found.destination;
      if (found.kind === 'unknown')
        throw new AppError(
          'not_found',
          'This short link does not exist. If it was typed, check capital and small letters: they differ.',
        );
      if (found.kind === 'long')
        throw new AppError(
          'invalid_query',
          `The address of this link would have more than ${HREF_MAX} characters with what was added to it; leave some of it out.`,
        );
      // Never a 404, because the link may work again in a second.
      throw new AppError('unavailable', 'This short link cannot be looked up at the moment; try again.', {
        retryAfterS: 2,
      });
    };

    const redirect = (reply: FastifyReply, found: Redirect): FastifyReply =>
      reply
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex')
        .redirect(destinationOf(found), 302);

    const options = {
      config: { name: 'redirect', ignoresHeaders: true },
      schema: {
        operationId: 'followLink',
        summary: 'Follow the short link of a dynamic code; a visit by a person counts as a scan',
        description:
          'Redirects with a 302 that is never cached, so that a change takes effect at once. Earlier slugs of a link work too. A `HEAD` is not counted. A link that forwards them passes on the query, and what is behind the slug in the path.',
        params: Params,
        response: { 302: Leads, default: OtherError, ...describePageErrors(400, 404, 503) },
      },
      exposeHeadRoute: false,
    };

    const scan = (request: FastifyRequest, reply: FastifyReply, found: Redirect) => {
      redirect(reply, found);
      // A visit to a link that is deleted or leads nowhere now is not a scan, even if it redirects.
      if (found.kind === 'found') scans.record(noteScan(found.firstSlug, request.ip, request.headers));
    };

    /** Looks a slug up; `null`: its domain has answered that it does not know it. */
    const ask = async (
      request: FastifyRequest,
      reply: FastifyReply,
      written: string,
    ): Promise<Redirect | null> => {
      const found = await redirects.lookUp(written, visitIn(request), domainOf(request)?.id);
      if (found.kind === 'unknown' && (await answerUnknown(directory, request, reply)) !== null) return null;
      return found;
    };

    // A link that is in memory is answered without a promise, which would cost as much as the rest of the work.
    const follow = (request: FastifyRequest, reply: FastifyReply, written: string) => {
      const domainId = domainOf(request)?.id ?? null;
      const found = redirects.find(written, visitIn(request), domainId);
      if (found === undefined || (found.kind === 'unknown' && domainId !== null))
        return ask(request, reply, written).then((asked) => {
          if (asked !== null) scan(request, reply, asked);
          return reply;
        });
      return void scan(request, reply, found);
    };

    app.get('/l/:slug', options, (request, reply) => follow(request, reply, request.params.slug));

    /** Redirects as GET does and counts no scan, because link checkers use HEAD. */
    const look = async (request: FastifyRequest, reply: FastifyReply, written: string) => {
      const found = await ask(request, reply, written);
      return found === null ? reply : redirect(reply, found);
    };
    app.head('/l/:slug', options, (request, reply) => look(request, reply, request.params.slug));

    // Some people and programs add a slash, and some links pass on what is behind it.
    const hidden = { ...options, schema: { hide: true, params: SlashParams } };
    const writtenOf = ({ slug, '*': rest }: Type.Static<typeof SlashParams>): string => `${slug}/${rest}`;
    app.get('/l/:slug/*', hidden, (request, reply) => follow(request, reply, writtenOf(request.params)));
    app.head('/l/:slug/*', hidden, (request, reply) => look(request, reply, writtenOf(request.params)));
  };
