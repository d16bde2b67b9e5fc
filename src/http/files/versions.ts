/** Optimistic locking: versions of what callers edit, so that they do not silently overwrite each other's changes. */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AppError } from '../../errors.ts';
import { etagOf } from './etag.ts';

/** The field of an answer that holds its version. */
export const Version = Type.String({
  title: 'Version',
  description:
    'The version of the fields that calls can change, as in the header `ETag`. Send it as `If-Match`.',
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

/** Returns the check that `If-Match` asks for (RFC 9110, 13.1.1). Without the header it accepts everything. */
export const checkOf = ({ headers }: FastifyRequest): CheckVersion => {
  const wanted = headers['if-match']?.split(',').map((tag) => tag.trim()) ?? ['*'];
  return (etag) => {
    if (wanted.includes('*') || wanted.includes(etag)) return;
    throw new AppError(
      'changed_meanwhile',
      'It was changed after you read it, so nothing was done; read it again and repeat your change.',
    );
  };
};

/** Sends the version of a body as its ETag, and returns the body. */
export const withVersion = <T extends { readonly etag: string }>(reply: FastifyReply, body: T): T => {
  reply.header('etag', body.etag);
  return body;
};
