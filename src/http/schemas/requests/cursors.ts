/** Ties cursors to their lists, so that the cursor of another list is refused and not taken for a place in this one. */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { fieldError } from '../../../errors.ts';
import { isRecord } from './violations.ts';

/** Enough to tell lists apart; a forged cursor only yields a page of the caller's own list. */
const TAG_CHARACTERS = 8;
const FORM = new RegExp(`^([\\w-]+)\\.([\\w-]{${TAG_CHARACTERS}})$`);

/** Returns what identifies the list of a request: its path, and its filters and order. */
const tagOf = ({ url, query }: FastifyRequest): string => {
  const path = url.split('?', 1)[0]!.toLowerCase();
  const { cursor, limit, ...filters } = query as Readonly<Record<string, unknown>>;
  const list = Object.entries(filters)
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([path, list]), 'base64url').slice(0, TAG_CHARACTERS);
};

/** Replaces the cursor in a query by the one that its list wrote. @throws {AppError} 400 when it is of another list. */
export const openCursor = (request: FastifyRequest): void => {
  const query = request.query as { cursor?: string };
  if (query.cursor === undefined) return;
  const [, cursor, tag] = FORM.exec(query.cursor) ?? [];
  if (cursor === undefined)
    throw fieldError('cursor', 'must be the cursor that the previous page returned', 'invalid_query');
  if (tag !== tagOf(request))
    throw fieldError(
      'cursor',
      'belongs to another list, other filters or another order; repeat the call that returned it, with this cursor',
      'invalid_query',
    );
  query.cursor = cursor;
};

/** Ties a cursor to the list of a request. */
export const tieCursor = (request: FastifyRequest, cursor: string): string => `${cursor}.${tagOf(request)}`;

/** Returns the body of a page with its cursor tied to the list. */
export const closeCursor = <Body>(request: FastifyRequest, body: Body): Body =>
  isRecord(body) && typeof body.next_cursor === 'string'
    ? { ...body, next_cursor: tieCursor(request, body.next_cursor) }
    : body;
