import { createHash, hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { findMade, makeOnce } from '../db/tables/calls/made-once.ts';
import { fieldError } from '../errors.ts';
import type { Terms } from '../generate/quality/graded.ts';
import { keyMismatch, keyRunning } from '../generate/units.ts';
import type { Claim } from '../quota/quota.ts';
import { principalOf } from './auth/auth.ts';
import { PresetHeader } from './preset.ts';
import { RepairHeaders } from './terms.ts';

/** The request headers of single calls, files and bulk calls. `claimOf` checks the `Idempotency-Key`. */
export const CallHeaders = Type.Object({
  ...RepairHeaders.properties,
  ...PresetHeader,
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 visible ASCII characters. For 24 hours the same key, body and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed: true`.',
    }),
  ),
});

/** The request header of calls that create something without using units. */
export const OnceHeader = {
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 visible ASCII characters. For 24 hours the same key and body replay the first answer, marked `Idempotent-Replayed: true`, and make nothing new.',
    }),
  ),
};

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The hash of a request: that of its body, unless something else also decides the answer. */
const identityOf = (bodyHash: string, { minGrade, repair }: Terms, also: string): string =>
  minGrade === 0 && !repair && also === ''
    ? bodyHash
    : hash('sha256', `${bodyHash} min-grade=${minGrade}${repair ? ' repair' : ''} ${also}`.trimEnd());

/** Returns the `Idempotency-Key` of a request, or `null`. @throws {AppError} 400 when the header is not a key. */
export const idempotencyKeyOf = (request: FastifyRequest): string | null => {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw fieldError('Idempotency-Key', 'must be 1 to 255 visible ASCII characters', 'invalid_header');
};

/**
 * Returns the claim of a request with an `Idempotency-Key`, and `{}` for any other or one of a sandbox. The body must
 * have been read.
 *
 * @param also Anything else that decides the answer, besides body and terms.
 * @throws {AppError} 400 when the header is not a valid key.
 */
export const claimOf = (
  request: FastifyRequest,
  route: Claim['route'],
  terms: Terms,
  also = '',
): { readonly claim?: Claim } => {
  const key = idempotencyKeyOf(request);
  // A sandbox pays and keeps nothing, so doing a call twice does no harm.
  if (key === null || principalOf(request).isSandbox) return {};
  if (request.bodyHash === null) throw new Error('a body was parsed without being hashed');
  // The current content of the preset counts, like a body.
  const design = request.preset === null ? also : `${also} preset=${request.preset}`;
  return { claim: { route, key, bodyHash: identityOf(request.bodyHash, terms, design) } };
};

/**
 * Does what a request asks for, once for each `Idempotency-Key`: the answer is stored in the same transaction. Returns
 * the body of the answer, or replays the first one.
 *
 * @param prepare Checks the request, and returns what makes the thing in a transaction and returns the body. That body
 *   is stored, so it must contain no secret.
 * @throws {AppError} 400 when the header is not a key, 422 when the key was used for another request, 409 while the
 *   first one runs.
 */
export const makePerKey = async <T extends object>(
  sql: Database['sql'],
  request: FastifyRequest,
  reply: FastifyReply,
  prepare: () => Promise<(tx: Sql) => Promise<T>>,
): Promise<T | FastifyReply> => {
  const key = idempotencyKeyOf(request);
  if (key === null) {
    const make = await prepare();
    const { made } = await sql.begin(async (tx) => ({ made: await make(tx) }));
    return made;
  }
  const { routeOptions, bodyHash } = request;
  const claim = {
    ...{ key, accountId: principalOf(request).accountId, route: routeOptions.url ?? '' },
    requestSha256: createHash('sha256')
      .update(`${request.url.toLowerCase()} ${bodyHash ?? ''}`)
      .digest(),
  };
  const once = (await findMade<T>(sql, claim)) ?? (await makeOnce(sql, claim, await prepare()));
  if (once.outcome === 'mismatch') throw keyMismatch();
  if (once.outcome === 'running') throw keyRunning();
  if (once.outcome === 'made') return once.answer;
  return reply
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .send(once.answer);
};
