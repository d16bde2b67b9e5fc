import type { FastifyInstance } from 'fastify';
import { AppError } from '../../errors.ts';

/**
 * Of these fields Node keeps the first and drops the others, while a proxy in front may have read the last. RFC 9112
 * (3.2) demands the refusal for `Host`, RFC 9110 (5.3) allows it for the others.
 */
const ONCE: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);
const LENGTHS: ReadonlySet<number> = new Set([...ONCE].map(({ length }) => length));

const findRepeated = (rawHeaders: readonly string[]): string | undefined => {
  const seen: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at]!;
    if (!LENGTHS.has(written.length)) continue;
    const name = written.toLowerCase();
    if (seen.includes(name)) return written;
    if (ONCE.has(name)) seen.push(name);
  }
  return undefined;
};

/** Refuses requests that have one of these fields twice, before anything reads them. */
export const refuseRepeatedHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const repeated = findRepeated(raw.rawHeaders);
    if (repeated === undefined) return done();
    done(new AppError('malformed_request', `${repeated}: must be sent once`));
  });
};
