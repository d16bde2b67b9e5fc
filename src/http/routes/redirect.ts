import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import type { Links } from '../../links/links.ts';
import { noteScan } from '../../links/scan.ts';
import { document } from '../openapi.ts';
import { errors } from '../schema.ts';

const Params = Type.Object({ slug: Type.String() });

const Redirect = {
  type: 'null',
  description: 'To the destination.',
  headers: { location: { type: 'string', format: 'uri' } },
};

export const redirectRoute =
  ({ redirects, scans }: Pick<Links, 'redirects' | 'scans'>): FastifyPluginAsyncTypebox =>
  async (app) => {
    document(app, 'Links');
    const find = async (slug: string): Promise<string> => {
      const found = await redirects.lookUp(slug);
      if (found.kind === 'found') return found.destination;
      if (found.kind === 'unknown') throw new AppError('not_found', 'This short link does not exist.');
      // Never a 404: a printed code that works again in a second must not be taken for a dead one.
      throw new AppError('unavailable', 'This short link cannot be looked up at the moment; try again.', {
        retryAfterS: 2,
      });
    };

    const redirect = (reply: FastifyReply, destination: string): FastifyReply =>
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex').redirect(destination, 302);

    const options = {
      config: { name: 'redirect' },
      schema: {
        summary: 'Where a dynamic code leads; counts one scan',
        params: Params,
        response: { 302: Redirect, ...errors(404, 503) },
      },
      exposeHeadRoute: false,
    };

    app.get('/l/:slug', options, async (request, reply) => {
      const { slug } = request.params;
      const destination = await find(slug);
      scans.record(noteScan(slug, request.ip, request.headers));
      return redirect(reply, destination);
    });

    /** Leads the same way and counts nothing: link checkers ask so. */
    app.head('/l/:slug', options, async (request, reply) => redirect(reply, await find(request.params.slug)));
  };
