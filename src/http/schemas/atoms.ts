/** Shapes that several routes share. */
import Type, { type TObject, type TSchema } from 'typebox';
import { decodeCursor, type Page, type PageRequest } from '../../db/cursor.ts';
import { errorTable, fieldError } from '../../errors.ts';

export const strict = { additionalProperties: false } as const;

/** Section 7.1 of the specification. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'A fixed text.' }),
    details: Type.String({ description: 'What to do about it.' }),
  },
  { ...strict, title: 'Error' },
);

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
export const NotModified = { type: 'null', description: 'The picture that `If-None-Match` names.' };

/** What the answers of a status say. `@fastify/swagger` takes it for the response and leaves the schema as it is. */
const about = (status: number) => ({
  'x-response-description': errorTable()
    .filter((row) => row.status === status)
    .map(({ error, when }) => `\`${error}\`: ${when}.`)
    .join(' '),
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

/** Where no success is documented: a call that leads elsewhere. */
export const OtherError = { ...ErrorBody, 'x-response-description': 'Any other answer is an error.' };

/** Node's own answer to a request that reaches no route. */
export const HeadersTooLarge = Type.Object(
  { error: Type.String(), message: Type.String(), statusCode: Type.Integer() },
  { title: 'RequestTooLarge', 'x-response-description': 'The header fields are over 16 KiB.' },
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

/** @param row With a `title`: that of the page is made of it. */
export const pageSchema = <T extends TObject>(row: T) =>
  Type.Object(
    { data: Type.Array(row), next_cursor: Type.Union([Type.String(), Type.Null()]) },
    { title: `${(row as { title?: string }).title}Page` },
  );

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
