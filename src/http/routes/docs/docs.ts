import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { refuseOddPaths } from '../../file-paths.ts';

/** What the page needs: its own files, and the styles and the logo that its scripts insert. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds `/docs`, an interactive page for the OpenAPI document. It loads nothing from other hosts. */
export const addDocs = async (app: FastifyInstance, basePath: string): Promise<void> => {
  await app.register(async (scope) => {
    scope.addHook('onRequest', refuseOddPaths);
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      ...(basePath === '/' ? {} : { indexPrefix: basePath }),
      staticCSP: PAGE_POLICY,
      theme: { title: 'Tessera API' },
      uiConfig: { layout: 'BaseLayout', displayRequestDuration: true },
    });
  });
};
