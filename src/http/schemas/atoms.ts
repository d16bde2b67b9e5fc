/** Schemas that several routes share. */

import Type, { type TObject, type TSchema } from 'typebox';
import { decodeCursor, type Page, type PageRequest } from '../../db/cursor.ts';
import { ERROR_CODES, errorTable, fieldError } from '../../errors.ts';
import { orNull } from '../../stored-json.ts';
import { NAME } from '../../validation/formats.ts';

/** For objects in requests: an unknown field is refused. */
export const strict = { additionalProperties: false } as const;

/** The body of every error (section 7.1 of the specification). */
export const ErrorBody = Type.Object(
  {
    error: Type.Unsafe<string>({
      type: 'string',
      enum: errorTable().map(({ error }) => error),
      'x-enum-varnames': ERROR_CODES,
      description: 'A fixed text.',
    }),
    details: Type.String({ description: 'What to do about it.' }),
    faults: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }, strict), {
        description: 'If the request has several faults: the first ten, including the one in `details`.',
      }),
    ),
    readings: Type.Optional(
      Type.Array(Type.Object({ encoding: Type.String(), text: Type.String() }, strict), {
        description: 'If the encoding of a table is not clear: how the row reads in the likeliest ones.',
      }),
    ),
  },
  { ...strict, title: 'Error' },
);

/**
 * The format of a text in an answer that needs no escapes as JSON. It is meant for the serializer
 * (fast-json-stringify); the OpenAPI document leaves it out.
 */
export const UNESCAPED_FORMAT = 'unsafe';

/** A UUID in its usual form, in lower or upper case. */
export const Uuid = Type.String({ format: 'uuid' });
/** A time as in RFC 3339; answers have it in UTC. */
export const Timestamp = Type.String({ format: 'date-time' });
/** The grade of a picture. */
export const Grade = Type.Integer({ minimum: 0, maximum: 4, title: 'Grade' });
/** The warnings of a picture. */
export const Warnings = Type.String({
  title: 'Warnings',
  description: 'As in `Tessera-Warnings`; empty at grade 4.',
});
/** A name on one line: well-formed text with at least one character that is not white space. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: NAME,
  title: 'Name',
});
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

type Written<Value> = Value extends Date ? string : Value extends readonly (infer Item)[] ? Item[] : Value;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns fields of a row as answers have them: under names in snake case, and times as in RFC 3339. */
export const fieldsOf = <Row extends object, Name extends keyof Row & string>(
  row: Row,
  ...names: readonly Name[]
) =>
  Object.fromEntries(
    names.map((name) => {
      const value = row[name];
      return [snake(name), value instanceof Date ? value.toISOString() : value];
    }),
  ) as { [Field in Name as Snake<Field>]: Written<Row[Field]> };

/** The schema of a 204. */
export const NoContent = Type.Null({ description: 'Done.' });
/** The schema of a 304. */
export const NotModified = {
  type: 'null',
  description: 'Not modified: the version in `If-None-Match` is current.',
};

/** Describes the errors of a status. `@fastify/swagger` makes it the description of the response. */
const about = (status: number) => ({
  'x-response-description': errorTable()
    .filter((row) => row.status === status)
    .map(({ error, when }) => `\`${error}\`: ${when}.`)
    .join(' '),
});

/** Returns the responses of some statuses, and of 500. */
const byStatus = <Response>(statuses: readonly number[], responseOf: (status: number) => Response) =>
  Object.fromEntries([...statuses, 500].map((status) => [status, responseOf(status)]));

/** Returns the response schemas of a route's error statuses, and of 500. */
export const describeErrors = (...statuses: readonly number[]): Record<string, TSchema> =>
  byStatus(statuses, (status) => ({ ...ErrorBody, ...about(status) }));

/** Returns the same for a route whose errors are plain text. */
export const describeTextErrors = (...statuses: readonly number[]): Record<string, object> =>
  byStatus(statuses, () => ({
    'x-response-description': 'The same error as in other calls, as plain text.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  }));

/** The `default` response of a route without a 2xx, which a redirect is. */
export const OtherError = { ...ErrorBody, 'x-response-description': 'Any other answer is an error.' };

/** Returns the same as `describeErrors` for a route whose errors are pages for browsers. */
export const describePageErrors = (...statuses: readonly number[]): Record<string, object> =>
  byStatus(statuses, () => ({
    'x-response-description': 'The same error as in other calls; a page for browsers.',
    content: {
      'application/json': { schema: ErrorBody },
      'text/html': { schema: { type: 'string' } },
    },
  }));

/** Returns the response schema of an answer that is not JSON. */
export const describeBytes = (description: string, ...mediaTypes: readonly string[]): object => ({
  description,
  content: Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
  ),
});

/** The error statuses of every route that asks for an API key. */
export const KEY_ERRORS = [401, 403, 429, 503] as const;
/** The error statuses of every route that takes a JSON body. */
export const BODY_ERRORS = [400, 413, 415] as const;

/** The path parameter of a thing with a UUID. */
export const IdParams = Type.Object({ id: Uuid }, strict);

/** The path parameter of a short link. The route checks its form, so a wrong one is a 404. */
export const SlugParams = Type.Object({ slug: Type.String() }, strict);

/** The query of a list in pages. */
export const PageQuery = Type.Object(
  {
    cursor: Type.Optional(
      Type.String({ maxLength: 200, description: 'The `next_cursor` of the previous page.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  },
  strict,
);

/** Returns the query of a list in pages that can be searched; `description` is that of `search`. */
export const searchQuery = (description: string) =>
  Type.Object(
    { ...PageQuery.properties, search: Type.Optional(Type.String({ maxLength: 200, description })) },
    strict,
  );

/** Returns the response schema of a page. @param row Must have a `title`, to which the page's title adds `Page`. */
export const pageSchema = <T extends TObject>(row: T) =>
  Type.Object(
    { data: Type.Array(row), next_cursor: orNull(Type.String()) },
    { title: `${(row as { title?: string }).title}Page` },
  );

/** Reads the query of a list. @throws {AppError} 400 when `cursor` is not a `next_cursor` of ours. */
export const toPageRequest = (query: { cursor?: string; limit?: number }): PageRequest => {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
  if (after === undefined) {
    throw fieldError('cursor', 'must be the cursor that the previous page returned', 'invalid_query');
  }
  return { after, limit: query.limit ?? 20 };
};

export const toPageBody = <Row, Body>(page: Page<Row>, toBody: (row: Row) => Body) => ({
  data: page.rows.map(toBody),
  next_cursor: page.next,
});
