/** Serves the files of the dashboard. It is a single page, served for every path below `/dashboard`. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../../errors.ts';
import { builtFolder } from '../../../package.ts';
import { refuseOddPaths } from '../../protocol/requests.ts';
import { prefersPage } from '../../short-link-page.ts';

/** What the page's scripts need. Preact and uPlot set styles through the CSSOM, which this policy allows. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const YEAR_S = 31_536_000;

/** Returns the page with the paths of its files; `null` when it was not built. */
const readPage = async (folder: URL, basePath: string): Promise<string | null> => {
  const page = await readFile(new URL('index.html', folder), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  // A proxy that serves us under a path removes that path from requests, so only the page needs to know it.
  const prefix = `="${basePath.replace(/\/$/, '')}/dashboard/`;
  return page?.replaceAll('="/dashboard/', () => prefix) ?? null;
};

const notFound = (details: string) => new AppError('not_found', details);

/** Where the dashboard is, for its users and on the disk. */
export interface DashboardParts {
  /** The path of `PUBLIC_URL`. */
  readonly basePath: string;
  /** The built files; absent: those of this build. */
  readonly folder?: URL;
}

/**
 * Adds the routes of the page and its files, and redirects browsers from `/` to it. Without a build of the dashboard
 * they answer 404.
 */
export const dashboardRoutes =
  ({ basePath, folder = builtFolder('dashboard') }: DashboardParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const page = await readPage(folder, basePath);
    const assets = fileURLToPath(new URL('assets/', folder));
    await app.register(async (scope) => {
      scope.addHook('onRequest', refuseOddPaths);
      await scope.register(fastifyStatic, {
        decorateReply: false,
        root: assets,
        prefix: '/dashboard/assets/',
        schemaHide: true,
        index: false,
        dotfiles: 'ignore',
        preCompressed: true,
        maxAge: YEAR_S * 1000,
        immutable: true,
        suppressWarning: true,
      });
    });

    const sendPage = async (_: unknown, reply: FastifyReply) => {
      if (page === null) throw notFound('This build has no dashboard; npm start builds one.');
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' })
        .send(page);
    };
    const options = { config: { name: 'dashboard' }, schema: { hide: true } };
    app.get('/dashboard', options, sendPage);
    app.get('/dashboard/*', options, sendPage);
    app.get('/', options, async (request, reply) => {
      reply.header('vary', 'Accept');
      if (page === null || !prefersPage(request.headers.accept)) return reply.callNotFound();
      return reply
        .header('cache-control', 'no-cache')
        .redirect(`${basePath.replace(/\/$/, '')}/dashboard`, 302);
    });
  };
