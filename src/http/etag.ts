import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { RENDERER_VERSION } from '../render/version.ts';

/** Strong: what decides a picture, and the same renderer, give the same bytes. */
export const etagOf = (...picture: readonly unknown[]): string => {
  const text = JSON.stringify([RENDERER_VERSION, ...picture]);
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`;
};

/** RFC 9110, 13.1.2: `*`, or a list in which weak tags compare alike. */
export const isKnownTo = (request: FastifyRequest, etag: string): boolean =>
  (request.headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
