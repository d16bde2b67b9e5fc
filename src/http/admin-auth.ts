import { createHash, timingSafeEqual } from 'node:crypto';
import type { onRequestHookHandler } from 'fastify';
import { AppError } from '../errors.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * A hook that lets requests with the operator's token through.
 *
 * @param adminToken `null`: there is none, and nobody gets through.
 */
export const requireAdmin = (adminToken: string | null): onRequestHookHandler => {
  const expected = adminToken === null ? null : digest(adminToken);
  return (request, _, done) => {
    const sent = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    // Digests have one length, so the comparison tells nothing about the token's.
    if (expected !== null && sent !== undefined && timingSafeEqual(digest(sent), expected)) {
      request.isOperator = true;
      return done();
    }
    done(
      new AppError('admin_unauthorized', 'Send the admin token as "Authorization: Bearer <ADMIN_TOKEN>".'),
    );
  };
};
