/** ETags, ranges, and versions of what callers edit, so that they do not silently overwrite each other's changes. */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
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

/** A range of a file in bytes: from `start` to before `end`. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the range that a request asks for (RFC 9110, 14.2); `null`: the whole file; `outside`: it lies outside
 * the file. As the RFC allows, several ranges or an invalid one ask for the whole file.
 *
 * @param etag Strong. The file has changed when `If-Range` has another one.
 */
export const rangeOf = (
  request: FastifyRequest,
  bytes: number,
  etag: string,
): ByteRange | null | 'outside' => {
  const { range, 'if-range': ifRange } = request.headers;
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const start = Math.max(0, bytes - Number(last));
    return start === bytes ? 'outside' : { start, end: bytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  return start >= bytes ? 'outside' : { start, end: last === '' ? bytes : Math.min(bytes, Number(last) + 1) };
};

/** The field of an answer that holds its version. */
export const Version = Type.String({
  title: 'Version',
  description:
    'The version of the fields that calls can change, with which the header `ETag` begins. Send it as `If-Match`, or as `If-None-Match` when counts of scans and codes do not matter.',
});

/** The header of calls that change or delete something. */
export const IfMatchHeader = {
  'if-match': Type.Optional(
    Type.String({
      description: 'The `etag` that you last read. If it is outdated, nothing is changed: 412.',
    }),
  ),
};

/** The headers of a call that has no others. */
export const IfMatchHeaders = Type.Object(IfMatchHeader);

/** Returns the strong ETag of what calls may change. Equal states have equal ETags. */
export const versionOf = (state: object): string =>
  etagOf(hash('sha256', JSON.stringify(state), 'base64url'));

/** Refuses a version that is not the one that the caller has read. Call it while the row is locked. */
type CheckVersion = (etag: string) => void;

/** Characters of an ETag behind the point. */
const SHOWN_CHARACTERS = 8;
const SHOWN = new RegExp(`\\.[\\w-]{${SHOWN_CHARACTERS}}"$`);

/** Returns the check that `If-Match` asks for (RFC 9110, 13.1.1). Without the header it accepts everything. */
export const checkOf = ({ headers }: FastifyRequest): CheckVersion => {
  const wanted = headers['if-match']?.split(',').map((tag) => tag.trim().replace(SHOWN, '"')) ?? ['*'];
  return (etag) => {
    if (wanted.includes('*') || wanted.includes(etag)) return;
    throw new AppError(
      'changed_meanwhile',
      'It was changed after you read it, so nothing was done; read it again and repeat your change.',
    );
  };
};

/**
 * Returns the strong ETag of what a call shows: its version, a point, and what else it has, such as counts of scans.
 * `If-Match` compares the version alone, since a scan is no edit that a caller could overwrite. The version covers the
 * design of a code, which answers to some edits leave out, and the options of a preset: both may have a logo, which is
 * not read a second time for the ETag.
 */
const etagOfAnswer = (body: { readonly etag: string }): string => {
  const shown = JSON.stringify({ ...body, design: undefined, options: undefined });
  return `${body.etag.slice(0, -1)}.${hash('sha256', shown, 'base64url').slice(0, SHOWN_CHARACTERS)}"`;
};

/** Sends the ETag of a body, and returns the body; a 304 when a caller who reads has it. */
export const withVersion = <T extends { readonly etag: string }>(
  reply: FastifyReply,
  body: T,
): T | FastifyReply => {
  const etag = etagOfAnswer(body);
  reply.header('etag', etag);
  const { request } = reply;
  const isKnown = isKnownTo(request, etag) || isKnownTo(request, body.etag);
  return isKnown && (request.method === 'GET' || request.method === 'HEAD') ? reply.code(304).send() : body;
};
