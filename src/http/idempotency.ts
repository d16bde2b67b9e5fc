import { createHash, hash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { inTransaction } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import type { Principal } from '../db/tables/accounts/keys.ts';
import { findMade, type KeptAnswer, makeOnce } from '../db/tables/made-once.ts';
import { fieldError } from '../errors.ts';
import type { Caller, GradeTerms } from '../generate/parts.ts';
import { keyMismatch, keyRunning } from '../generate/refusals.ts';
import type { Claim } from '../quota/quota.ts';
import { principalOf } from './auth/auth.ts';
import { unclaimedCallerOf } from './caller.ts';
import { RepairHeaders } from './grade-headers.ts';
import { PresetHeader } from './preset.ts';

/** The request header of paid calls whose pictures have no design. `callerOf` checks it. */
export const PaidHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 visible ASCII characters. For 24 hours the same key, body and `Tessera-` headers replay the first answer free of charge, marked `Idempotent-Replayed: true`.',
    }),
  ),
});

/** The request headers of single calls, files and bulk calls. */
export const CallHeaders = Type.Object({
  ...RepairHeaders.properties,
  ...PresetHeader,
  ...PaidHeader.properties,
});

/** The request header of calls that change something without using units. */
export const OnceHeader = {
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 visible ASCII characters. For 24 hours the same key, body, `If-Match` and `Tessera-` headers replay the first answer, marked `Idempotent-Replayed: true`, and change nothing.',
    }),
  ),
};

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The hash of a request: that of its body, unless something else also decides the answer. */
const identityOf = (bodyHash: string, { minGrade, repair }: GradeTerms, also: string): string =>
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
 * Returns who makes a paid call, with the claim of its `Idempotency-Key` if it has one. A load test of a sandbox claims
 * another key, for the same work. The body must have been read.
 *
 * @param also Anything else that decides the answer, besides body and terms.
 * @throws {AppError} 400 when the header is not a valid key.
 */
export const callerOf = (
  request: FastifyRequest,
  principal: Principal,
  route: Claim['route'],
  terms: GradeTerms,
  also = '',
): Caller => {
  const caller = unclaimedCallerOf(request, principal);
  const key = idempotencyKeyOf(request);
  // A sandbox pays and keeps nothing, so doing a call twice does no harm.
  const { isSandbox } = principal;
  if (key === null || (isSandbox && !caller.isLoadTest)) return caller;
  if (request.bodyHash === null) throw new Error('a body was parsed without being hashed');
  // The current content of the preset counts, like a body.
  const drawn = request.preset === null ? also : `${also} preset=${request.preset}`;
  const design = caller.domain === undefined ? drawn : `${drawn} domain=${caller.domain}`;
  const claimed = isSandbox ? randomUUID() : key;
  return { ...caller, claim: { route, key: claimed, bodyHash: identityOf(request.bodyHash, terms, design) } };
};

/** Headers that decide what a request does, besides its body. A mark of a load test does not. */
const DECIDES = /^(if-match|tessera-(?!load-test$).+)$/;

const requestHashOf = ({ method, url, headers, bodyHash }: FastifyRequest): Buffer => {
  const terms = Object.entries(headers)
    .filter(([name]) => DECIDES.test(name))
    .sort();
  return createHash('sha256')
    .update(JSON.stringify([method, url, bodyHash, terms]))
    .digest();
};

/** Changes something in a transaction of `database`, and returns the body of the answer. */
export type Change<T> = (database: Database) => Promise<T>;

/** What a call does once for each `Idempotency-Key`. */
export interface OnceWork<T> {
  /** Checks the request. The body that the change returns is stored, so it must contain no secret. */
  prepare(): Promise<Change<T>>;
  /**
   * Reads the current body of an answer that may be long. With this, only its `id` is stored.
   *
   * @throws {AppError} 404 when the thing was deleted since.
   */
  readAgain?(id: string): Promise<T>;
}

const inChange = (database: Database, sql: Database['sql']): Database => ({ ...database, sql });

/** Returns what is kept of an answer: its body, or its id, and the headers that were set since `before`. */
const keepOf =
  <T>(reply: FastifyReply, before: ReadonlySet<string>, { readAgain }: OnceWork<T>) =>
  (body: T): KeptAnswer => ({
    body: readAgain === undefined ? body : { id: (body as { readonly id: string }).id },
    headers: Object.fromEntries(Object.entries(reply.getHeaders()).filter(([name]) => !before.has(name))),
  });

/**
 * Does what a request asks for in a transaction, once for each `Idempotency-Key`: the answer is stored in the same
 * transaction. Returns the body of the answer, or that of the first one.
 *
 * @throws {AppError} 400 when the header is not a key, 422 when the key was used for another request, 409 while the
 *   first one runs.
 */
export const changeOnce = async <T>(
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  work: OnceWork<T>,
): Promise<T> => {
  const key = idempotencyKeyOf(request);
  const { sql } = database;
  if (key === null) {
    const change = await work.prepare();
    return inTransaction(sql, (tx) => change(inChange(database, tx)));
  }
  const claim = {
    key,
    accountId: principalOf(request).accountId,
    route: `${request.method} ${request.routeOptions.url}`,
    requestSha256: requestHashOf(request),
  };
  const before = new Set(Object.keys(reply.getHeaders()));
  const make = async () => {
    const change = await work.prepare();
    return makeOnce(sql, claim, (tx) => change(inChange(database, tx)), keepOf(reply, before, work));
  };
  const once = (await findMade<T>(sql, claim)) ?? (await make());
  if (once.outcome === 'mismatch') throw keyMismatch();
  if (once.outcome === 'running') throw keyRunning();
  if (once.outcome === 'made') return once.answer;
  const { body, headers } = once.kept;
  reply.headers(headers).header('idempotent-replayed', 'true');
  return work.readAgain === undefined ? (body as T) : work.readAgain((body as { readonly id: string }).id);
};
