/** Optimistic locking: versions of what callers edit, so that they do not silently overwrite each other's changes. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import { etagOf, isKnownTo } from './etag.ts';

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
export type CheckVersion = (etag: string) => void;

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
