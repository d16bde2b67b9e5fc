import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { varyByEncoding } from '../protocol/compression.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether its answers have an ETag of their text. */
    tagsAnswers?: boolean;
  }
}

/** Returns a strong ETag. @param key Of a picture, as of `pictureKey`, or a hash in base64url. */
export const etagOf = (key: string): string => `"${key.slice(0, 27)}"`;

/** Whether `If-None-Match` has the ETag, compared weakly, or is `*` (RFC 9110, 13.1.2). */
export const isKnownTo = (request: FastifyRequest, etag: string): boolean =>
  request.headers['if-none-match']
    ?.split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false;

/**
 * Gives the JSON of reading calls a weak ETag of its text, which holds in every coding, and answers 304 to a caller who
 * has it. Call it before answers are compressed.
 */
export const tagAnswers = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { tagsAnswers } = request.routeOptions.config;
    if (!tagsAnswers || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
    const etag = etagOf(hash('sha256', payload, 'base64url'));
    reply.header('etag', `W/${etag}`);
    if (!isKnownTo(request, etag)) return done(null, payload);
    varyByEncoding(reply);
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, null);
  });
};
