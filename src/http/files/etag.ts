import type { FastifyRequest } from 'fastify';

/** Returns the strong ETag of a picture. @param key As of `pictureKey`. */
export const etagOf = (key: string): string => `"${key.slice(0, 27)}"`;

/** Whether `If-None-Match` has the ETag, compared weakly, or is `*` (RFC 9110, 13.1.2). */
export const isKnownTo = (request: FastifyRequest, etag: string): boolean =>
  request.headers['if-none-match']
    ?.split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false;
