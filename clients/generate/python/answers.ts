/** What a method returns, from the successful answers of its call. Pure. */
import { type Document, JSON_TYPE, type Response, resolve, type Schema } from '../openapi.ts';
import type { Call } from './calls.ts';
import { typeIn } from './types.ts';

/** What a method returns, and how it gets that. */
export interface Returned {
  /** The method of `Caller` that makes the call. */
  readonly runner: '_json' | '_answer' | '_nothing' | '_download';
  readonly type: string;
  /** Whether the runner returns a wider type. */
  readonly isCast: boolean;
  /** Kinds of files among which the caller chooses. */
  readonly mediaTypes: readonly string[];
  /** The type of an entry of a list that comes in pages; `null` for other calls. */
  readonly itemType: string | null;
}

/** Headers of all calls, which no caller waits for. */
const COMMON = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Idempotent-Replayed', 'Retry-After'];

/** 206 and 304 answer only requests with headers that no method sends. */
const isSuccess = (status: string): boolean => /^[23]/.test(status) && status !== '206' && status !== '304';

const hasOwnHeaders = ({ headers = {} }: Response): boolean =>
  Object.keys(headers).some((name) => !COMMON.includes(name));

const itemTypeOf = (document: Document, schema: Schema | undefined): string | null => {
  if (schema === undefined) return null;
  const { properties = {} } = resolve<Schema>(document, schema);
  const { data, next_cursor: cursor } = properties;
  return cursor === undefined || data?.items === undefined ? null : typeIn(document, data.items);
};

/**
 * A file is a `Download`. JSON is its type. What may have no body is an `Answer`, if its headers say something of their
 * own, or else `None`.
 */
export const answerOf = ({ document, responses, parameters }: Call): Returned => {
  const successes = Object.entries(responses).flatMap(([status, each]) => (isSuccess(status) ? [each] : []));
  const mediaTypes = [...new Set(successes.flatMap(({ content = {} }) => Object.keys(content)))];
  if (mediaTypes.some((type) => type !== JSON_TYPE))
    return { runner: '_download', type: 'Download', isCast: false, mediaTypes, itemType: null };
  const bare = { mediaTypes: [], itemType: null };
  const empty = successes.filter(({ content }) => content === undefined);
  const schema = successes.find(({ content }) => content?.[JSON_TYPE] !== undefined)?.content?.[JSON_TYPE]
    ?.schema;
  const type = schema === undefined ? 'None' : typeIn(document, schema);
  const orNone = type === 'None' || empty.length === 0 ? type : `Optional[${type}]`;
  if (empty.some(hasOwnHeaders))
    return { ...bare, runner: '_answer', type: `Answer[${orNone}]`, isCast: true };
  if (type === 'None') return { ...bare, runner: '_nothing', type, isCast: false };
  const isPaged = parameters.some(({ name }) => name === 'cursor');
  const itemType = isPaged ? itemTypeOf(document, schema) : null;
  return { ...bare, runner: '_json', type: orNone, isCast: true, itemType };
};
