/** Serves the files of the dashboard. It is a single page, served for every path below `/dashboard`. */
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import { wantedLanguages } from '../../../links/rules/languages.ts';
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

/** The pages by their languages. */
type Pages = ReadonlyMap<string, string>;

/** Returns the page in each language, with the paths of its files; none when it was not built. */
const readPages = async (folder: URL, basePath: string): Promise<Pages> => {
  const files = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  // A proxy that serves us under a path removes that path from requests, so only the page needs to know it.
  const prefix = `="${basePath.replace(/\/$/, '')}/dashboard/`;
  const pages = new Map<string, string>();
  for (const file of files.filter((name) => name.endsWith('.html'))) {
    const page = await readFile(new URL(file, folder), 'utf8');
    pages.set(
      basename(file, '.html'),
      page.replaceAll('="/dashboard/', () => prefix),
    );
  }
  return pages;
};

const DEFAULT_LANGUAGE = 'en';
/** The cookie in which the page keeps the language that somebody has chosen. */
const CHOICE = /(?:^|; ?)tessera_language=([a-z]{2})(?:;|$)/;

/** Returns the page in the language that was chosen on it, otherwise in one that the browser wants most, or in English. */
const pageFor = (pages: Pages, { cookie = '', 'accept-language': wanted = '' }: IncomingHttpHeaders) => {
  const chosen = CHOICE.exec(cookie)?.[1] ?? '';
  const languages = wantedLanguages(wanted).map((range) => range.split('-')[0] ?? '');
  const found = [chosen, ...languages, DEFAULT_LANGUAGE].find((language) => pages.has(language));
  return found === undefined ? null : (pages.get(found) ?? null);
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
    const pages = await readPages(folder, basePath);
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

    const sendPage = async ({ headers }: FastifyRequest, reply: FastifyReply) => {
      const page = pageFor(pages, headers);
      if (page === null) throw notFound('This build has no dashboard; npm start builds one.');
      return reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': PAGE_POLICY,
          'cache-control': 'no-cache',
          vary: 'Accept-Language, Cookie',
        })
        .send(page);
    };
    const options = { config: { name: 'dashboard' }, schema: { hide: true } };
    app.get('/dashboard', options, sendPage);
    app.get('/dashboard/*', options, sendPage);
    app.get('/', options, async (request, reply) => {
      reply.header('vary', 'Accept');
      if (pages.size === 0 || !prefersPage(request.headers.accept)) return reply.callNotFound();
      return reply
        .header('cache-control', 'no-cache')
        .redirect(`${basePath.replace(/\/$/, '')}/dashboard`, 302);
    });
  };
