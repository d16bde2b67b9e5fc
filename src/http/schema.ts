/** Shapes that several routes share. */
import Type, { type TObject, type TSchema } from 'typebox';
import { decodeCursor, type Page, type PageRequest } from '../db/cursor.ts';
import { errorTable, fieldError } from '../errors.ts';

export const strict = { additionalProperties: false } as const;

/** Section 7.1 of the specification. */
export const ErrorBody = Type.Object({ error: Type.String(), details: Type.String() }, strict);

export const Uuid = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time' });
/** Well-formed text with something in it, on one line. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$',
});
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const NoContent = Type.Null({ description: 'Done.' });

const RetryAfter = { type: 'integer', description: 'Seconds until a new try makes sense.' };

/** What the answers of a status say, and their headers. */
const about = (status: number) => ({
  description: errorTable()
    .filter((row) => row.status === status)
    .map(({ error, when }) => `\`${error}\`: ${when}.`)
    .join(' '),
  ...(status === 429 || status === 503 ? { headers: { 'retry-after': RetryAfter } } : {}),
});

/** The error statuses that a route can answer with, for its response schema; 500 is always one. */
export const errors = (...statuses: readonly number[]): Record<string, TSchema> =>
  Object.fromEntries([...statuses, 500].map((status) => [status, { ...ErrorBody, ...about(status) }]));

/** The same where errors are plain text. */
export const textErrors = (...statuses: readonly number[]): Record<string, object> =>
  Object.fromEntries(
    [...statuses, 500].map((status) => [
      status,
      { ...about(status), content: { 'text/plain': { schema: { type: 'string' } } } },
    ]),
  );

/** The same where browsers are shown a page. */
export const pageErrors = (...statuses: readonly number[]): Record<string, object> =>
  Object.fromEntries(
    [...statuses, 500].map((status) => [
      status,
      {
        ...about(status),
        content: {
          'application/json': { schema: ErrorBody },
          'text/html': { schema: { type: 'string' } },
        },
      },
    ]),
  );

/** An answer that is no JSON. */
export const bytes = (description: string, ...mediaTypes: readonly string[]): object => ({
  description,
  content: Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
  ),
});

/** The refusals of every call with an API key, and of every call with a JSON body. */
export const KEY_ERRORS = [401, 403, 429, 503] as const;
export const BODY_ERRORS = [400, 413, 415] as const;

export const IdParams = Type.Object({ id: Uuid }, strict);

export const SlugParams = Type.Object({ slug: Type.String() }, strict);

export const PageQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `next_cursor` of the page before.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  },
  strict,
);

/** Of a list that can be searched. */
export const searchQuery = (description: string) =>
  Type.Object(
    { ...PageQuery.properties, search: Type.Optional(Type.String({ maxLength: 200, description })) },
    strict,
  );

export const pageSchema = <T extends TObject>(row: T) =>
  Type.Object({ data: Type.Array(row), next_cursor: Type.Union([Type.String(), Type.Null()]) });

/** @throws {AppError} 400 when `cursor` is none of ours. */
export const toPageRequest = (query: { cursor?: string; limit?: number }): PageRequest => {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
  if (after === undefined) {
    throw fieldError('cursor', 'must be the next_cursor of the page before', 'invalid_query');
  }
  return { after, limit: query.limit ?? 20 };
};

export const toPageBody = <Row, Body>(page: Page<Row>, toBody: (row: Row) => Body) => ({
  data: page.rows.map(toBody),
  next_cursor: page.next,
});
