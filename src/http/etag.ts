import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RENDERER_VERSION } from '../render/version.ts';

/** Returns a strong ETag from all values that decide a picture. It changes with the version of the renderer. */
export const etagOf = (...picture: readonly unknown[]): string => {
  const text = JSON.stringify([RENDERER_VERSION, ...picture]);
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
};

/** Whether `If-None-Match` has the ETag, compared weakly, or is `*` (RFC 9110, 13.1.2). */
export const isKnownTo = (request: FastifyRequest, etag: string): boolean =>
  (request.headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
