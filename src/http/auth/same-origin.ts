import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/** Whether a method only reads (RFC 9110, 9.2.1). */
const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Whether one of our pages sent the request. Browsers say so in Fetch Metadata, which no page can forge (W3C Fetch
 * Metadata, section 2.3). Over plain http they leave it out; then `Origin` decides.
 */
const isSameOrigin = (request: FastifyRequest, publicOrigin: string | null): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && origin === (publicOrigin ?? `${request.protocol}://${request.host}`);
};

/**
 * Creates a check that keeps other sites from writing with the cookie. The check throws an `AppError` (403) for a write
 * that our own pages did not send.
 *
 * @param publicUrl `PUBLIC_URL`; `null`: our origin is the one that the request names.
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
