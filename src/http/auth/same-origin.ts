import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** RFC 9110, 9.2.1: what only reads. */
const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Whether a page of ours sends the request: by Fetch Metadata, which a browser sends and no page can forge (W3C
 * Fetch Metadata, section 2.3); where it is absent, as from a browser that reaches us by plain http, by `Origin`.
 */
const isSameOrigin = (request: FastifyRequest, publicOrigin: string | null): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && origin === (publicOrigin ?? `${request.protocol}://${request.host}`);
};

/**
 * Refuses what a cookie would be sent along with although another site asks for it.
 *
 * @throws {AppError} 403 for a write that does not come from our own pages.
 */
export const createSameOriginRule = (publicUrl: string | null) => {
  const publicOrigin = publicUrl === null ? null : new URL(publicUrl).origin;
  return (request: FastifyRequest): void => {
    if (isSafe(request.method) || isSameOrigin(request, publicOrigin)) return;
    throw new AppError(
      'cross_site',
      "Only the dashboard's own pages may make this call with its cookie; elsewhere send an API key.",
    );
  };
};
