/**
 * The spans and cursors of queries. A cursor names the last row of a page, which may be none of the caller's, so it is
 * sealed: callers can neither read nor make one. It opens only for the account and the list that it was made for.
 */

import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { fieldError } from '../../errors.ts';
import { MOMENT_RULE } from '../../validation/ajv.ts';
import { isRecord } from './violations.ts';

const EARLIEST = new Date('2000-01-01');
const LATEST = new Date('2100-01-01');

/** The schema of a moment. @param zone The time zone in which a date begins, for the description. */
export const Moment = (description: string, zone: string) =>
  Type.Optional(
    Type.Union([Type.String({ format: 'date' }), Type.String({ format: 'date-time' })], {
      description: `${description} A date means its start ${zone}.`,
      examples: ['2026-11-01', '2026-11-01T09:00:00Z'],
    }),
  );

/** Whether a validated moment is a date. */
export const isDate = (text: string): boolean => text.length === 'YYYY-MM-DD'.length;

/**
 * Reads a validated moment; a date is its beginning in UTC. JavaScript refuses a second of 60, which RFC 3339 allows.
 *
 * @throws {AppError} 400.
 */
export const readMoment = (field: string, text: string): Date => {
  const moment = new Date(text);
  if (moment >= EARLIEST && moment <= LATEST) return moment;
  throw fieldError(field, MOMENT_RULE, 'invalid_query');
};

declare module 'fastify' {
  interface FastifyInstance {
    /** The key of cursors: 32 bytes that all gateways share. */
    cursorKey: Buffer;
  }
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What a cursor belongs to: the account, the path of the list, and its filters and order. */
const listOf = ({ url, query, principal }: FastifyRequest): string => {
  const path = url.split('?', 1)[0]!.toLowerCase();
  const { cursor, limit, ...filters } = query as Readonly<Record<string, unknown>>;
  const list = Object.entries(filters)
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([principal?.accountId ?? null, path, list]));
};

/** Returns the text that was sealed for this list; `null`: it is no cursor of ours, or that of another list. */
const open = (request: FastifyRequest, sealed: string): string | null => {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null;
  const end = bytes.length - TAG_BYTES;
  const cipher = createDecipheriv(CIPHER, request.server.cursorKey, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(listOf(request)))
    .setAuthTag(bytes.subarray(end));
  try {
    return cipher.update(bytes.subarray(NONCE_BYTES, end), undefined, 'latin1') + cipher.final('latin1');
  } catch {
    return null;
  }
};

/** Replaces the cursor in a query by the one that its list wrote. @throws {AppError} 400 when it is of another list. */
export const openCursor = (request: FastifyRequest): void => {
  const query = request.query as { cursor?: string };
  if (query.cursor === undefined) return;
  const cursor = open(request, query.cursor);
  if (cursor === null)
    throw fieldError(
      'cursor',
      'must be the cursor that the previous page returned, and belongs to one account and one list with its filters and order; repeat the call that returned it, with this cursor',
      'invalid_query',
    );
  query.cursor = cursor;
};

/** Seals a cursor for the list of a request. */
export const tieCursor = (request: FastifyRequest, cursor: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, request.server.cursorKey, nonce).setAAD(Buffer.from(listOf(request)));
  const parts = [nonce, cipher.update(cursor, 'latin1'), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64url');
};

/** Returns the body of a page with its cursor tied to the list. */
export const closeCursor = <Body>(request: FastifyRequest, body: Body): Body =>
  isRecord(body) && typeof body.next_cursor === 'string'
    ? { ...body, next_cursor: tieCursor(request, body.next_cursor) }
    : body;
