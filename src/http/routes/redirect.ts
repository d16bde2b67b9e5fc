import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { AppError } from '../../errors.ts';
import { HREF_MAX } from '../../links/destination.ts';
import type { Followed } from '../../links/follow.ts';
import type { Links } from '../../links/links.ts';
import { isPassword } from '../../links/password.ts';
import type { Redirect } from '../../links/redirects.ts';
import { noteScan } from '../../links/scan.ts';
import { type Visit, visitOf } from '../../links/visit.ts';
import { domainOf } from '../hosts.ts';
import { createLinkPasswords } from '../limits/link-passwords.ts';
import { describePageErrors, OtherError } from '../schemas/atoms.ts';
import { withHeaders } from '../schemas/openapi/headers.ts';
import { describeRoutes } from '../schemas/openapi/openapi.ts';
import { answerLost } from './domain.ts';
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

const slugIn = ({ params }: FastifyRequest): string => (params as Static<typeof Params>).slug;

/** A form with one field. */
const FORM_MAX_BYTES = 4096;
const LOCKED =
  'This short link needs a password: open it in a browser, or send it as the field `password` of a form.';

/** Where a person is led; throws for those who are not. */
const destinationOf = (followed: Followed): string => {
  switch (followed.kind) {
    case 'found':
    case 'dead':
      return followed.destination;
    case 'locked':
      throw new AppError('password_required', LOCKED);
    case 'unknown':
    case 'gone':
      throw new AppError(
        'not_found',
        'This short link does not exist. If it was typed, check capital and small letters: they differ.',
      );
    case 'long':
      throw new AppError(
        'invalid_query',
        `The address of this link would have more than ${HREF_MAX} characters with what was added to it; leave some of it out.`,
      );
    case 'unavailable':
      // Never a 404, because the link may work again in a second.
      throw new AppError('unavailable', 'This short link cannot be looked up at the moment; try again.', {
        retryAfterS: 2,
      });
  }
};

const cacheControlOf = (followed: Followed): string =>
  followed.kind === 'found' && followed.maxAgeS > 0 ? `private, max-age=${followed.maxAgeS}` : 'no-store';

const redirect = (reply: FastifyReply, followed: Followed, status = 302): FastifyReply =>
  reply
    .header('cache-control', cacheControlOf(followed))
    .header('x-robots-tag', 'noindex')
    .redirect(destinationOf(followed), status);

/** Adds the route of short links. It redirects with 302 and records one scan. */
export const redirectRoute =
  ({
    redirects,
    scans,
    follow,
    directory,
    unknownSlugs,
  }: Pick<Links, 'redirects' | 'scans' | 'follow'> &
    Pick<Services, 'directory' | 'unknownSlugs'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    describeRoutes(app, 'Links');
    const checkPassword = createLinkPasswords(isPassword);

    const options = {
      config: { name: 'redirect', ignoresHeaders: true },
      schema: {
        operationId: 'followLink',
        summary: 'Follow the short link of a dynamic code; a visit by a person counts as a scan',
        description:
          'Redirects with a 302 that nobody may keep, so that a change takes effect at once, unless the account has a `redirect_max_age_s`. Rules of the link may lead the visit elsewhere. Earlier slugs of a link work too. A `HEAD` is not counted. A link that forwards them passes on the query, and what is behind the slug in the path.',
        params: Params,
        response: { 302: Leads, default: OtherError, ...describePageErrors(400, 403, 404, 421, 503) },
      },
      exposeHeadRoute: false,
    };

    const followAs = (request: FastifyRequest, found: Redirect, isOpen = false): Followed =>
      follow(
        found,
        { headers: request.headers, address: request.ip, url: request.url },
        { counts: request.method !== 'HEAD', isOpen },
      );

    const scan = (request: FastifyRequest, reply: FastifyReply, followed: Followed, status?: number) => {
      redirect(reply, followed, status);
      // A visit to a link that is deleted or leads nowhere now is not a scan, even if it redirects.
      if (followed.kind !== 'found') return;
      const { firstSlug, rule } = followed;
      scans.record(noteScan(firstSlug, request.ip, request.headers, rule));
    };

    /** Sends the answer to a visit; at an own domain, its owner says what is answered where no link leads. */
    const answer = (
      request: FastifyRequest,
      reply: FastifyReply,
      followed: Followed,
      send: (followed: Followed) => void,
    ): Promise<FastifyReply> | undefined => {
      const domain = domainOf(request);
      if (domain === null || (followed.kind !== 'unknown' && followed.kind !== 'gone'))
        return void send(followed);
      const isUnknown = followed.kind === 'unknown';
      if (isUnknown && request.method !== 'HEAD') unknownSlugs.note(domain.id, slugIn(request));
      return answerLost(directory, request, reply, isUnknown).then((told) => {
        if (told === null) send(followed);
        return reply;
      });
    };

    // A link that is in memory is answered without a promise, which would cost as much as the rest of the work.
    const get = (request: FastifyRequest, reply: FastifyReply, written: string) => {
      const [visit, domainId] = [visitIn(request), domainOf(request)?.id ?? null];
      const answerTo = (asked: Redirect) =>
        answer(request, reply, followAs(request, asked), (followed) => scan(request, reply, followed));
      const found = redirects.find(written, visit, domainId);
      if (found) return answerTo(found);
      return redirects.lookUp(written, visit, domainId).then((asked) => answerTo(asked) ?? reply);
    };

    const lookUp = (request: FastifyRequest, written: string): Promise<Redirect> =>
      redirects.lookUp(written, visitIn(request), domainOf(request)?.id ?? null);

    /** Redirects as GET does and counts no scan, because link checkers use HEAD. */
    const head = async (request: FastifyRequest, reply: FastifyReply, written: string) => {
      const followed = followAs(request, await lookUp(request, written));
      await answer(request, reply, followed, () => redirect(reply, followed));
      return reply;
    };

    /** Takes the password of a link from a form, and leads on with a 303. */
    const post = async (request: FastifyRequest, reply: FastifyReply, written: string) => {
      const found = await lookUp(request, written);
      const followed = followAs(request, found);
      if (followed.kind === 'locked' && found.kind === 'found') {
        const { passwordHash } = followed;
        const password = String(request.body ?? '');
        if (!(await checkPassword(request.ip, { passwordHash, firstSlug: found.firstSlug }, password)))
          throw new AppError('password_required', 'This is not the password of the short link.');
      }
      const open = followAs(request, found, true);
      await answer(request, reply, open, () => scan(request, reply, open, 303));
      return reply;
    };

    // Some people and programs add a slash, and some links pass on what is behind it.
    const hidden = { ...options, schema: { hide: true, params: SlashParams } };
    const writtenOf = ({ slug, '*': rest }: Static<typeof SlashParams>): string => `${slug}/${rest}`;
    app.get('/l/:slug', options, (request, reply) => get(request, reply, request.params.slug));
    app.head('/l/:slug', options, (request, reply) => head(request, reply, request.params.slug));
    app.get('/l/:slug/*', hidden, (request, reply) => get(request, reply, writtenOf(request.params)));
    app.head('/l/:slug/*', hidden, (request, reply) => head(request, reply, writtenOf(request.params)));

    await app.register(async (forms) => {
      forms.removeAllContentTypeParsers();
      forms.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { bodyLimit: FORM_MAX_BYTES },
        async (request: FastifyRequest, payload: IncomingMessage) =>
          new URLSearchParams((await app.receiveBytes(request, payload)).toString()).get('password') ?? '',
      );
      forms.post('/l/:slug', { ...options, schema: { hide: true, params: Params } }, (request, reply) =>
        post(request, reply, (request.params as Static<typeof Params>).slug),
      );
      forms.post('/l/:slug/*', hidden, (request, reply) =>
        post(request, reply, writtenOf(request.params as Static<typeof SlashParams>)),
      );
    });
  };
