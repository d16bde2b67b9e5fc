import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { fieldError } from '../errors.ts';
import type { Terms } from '../generate/quality/graded.ts';
import type { Claim } from '../quota/quota.ts';
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

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The hash of a request: that of its body, unless it asks for more than that. */
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
 * Returns the claim of a request with an `Idempotency-Key`, and `{}` for any other. The body must have been read.
 *
 * @param also What decides the answer beside body and terms.
 * @throws {AppError} 400 when the header is not a key.
 */
export const claimOf = (
  request: FastifyRequest,
  route: Claim['route'],
  terms: Terms,
  also = '',
): { readonly claim?: Claim } => {
  const key = idempotencyKeyOf(request);
  if (key === null) return {};
  if (request.bodyHash === null) throw new Error('a body was parsed without being hashed');
  // Of the preset counts what it says now, as of a body.
  const design = request.preset === null ? also : `${also} preset=${request.preset}`;
  return { claim: { route, key, bodyHash: identityOf(request.bodyHash, terms, design) } };
};
