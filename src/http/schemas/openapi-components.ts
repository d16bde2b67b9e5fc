/**
 * Makes named components of what the OpenAPI document repeats. These are pure functions of the document that
 * `@fastify/swagger` writes, which has every schema in place.
 */
import { STATUS_CODES } from 'node:http';
import { HEADERS, type HeaderName } from './openapi-headers.ts';

type Json = Record<string, unknown>;

interface Response {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, Json>>;
}

interface Operation {
  readonly security?: readonly Json[];
  readonly parameters?: readonly Json[];
  readonly responses: Readonly<Record<string, Response>>;
}

/** The parts of an OpenAPI document that are read here. All others stay as they are. */
interface Document {
  readonly components?: Json;
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T, key: string) => U) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Keywords of a schema whose values are data, so a `title` in them names no schema. */
const VALUES: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/**
 * Moves every schema with a `title` to `found`, under that name.
 *
 * @throws {Error} Two schemas that differ have the same title.
 */
const hoistSchemas = (node: unknown, found: Json): unknown => {
  if (Array.isArray(node)) return node.map((inner) => hoistSchemas(inner, found));
  if (!isObject(node)) return node;
  const { title, ...rest } = mapValues(node, (inner, key) =>
    VALUES.has(key) ? inner : hoistSchemas(inner, found),
  );
  // A field of this name is a schema, not a text.
  if (title !== undefined && typeof title !== 'string') return { title, ...rest };
  if (title === undefined) return rest;
  found[title] ??= rest;
  if (!same(found[title], rest)) {
    throw new Error(`two schemas that differ have the title "${title}": give one of them another`);
  }
  return { $ref: `#/components/schemas/${title}` };
};

const headerRef = (name: string): Json => {
  if (!(name in HEADERS)) throw new Error(`the header ${name} is unknown: add it to openapi-headers.ts`);
  return { $ref: `#/components/headers/${name}` };
};

const isCounted = ({ security = [] }: Operation): boolean =>
  security.some((scheme) => 'apiKey' in scheme || 'queryKey' in scheme || 'session' in scheme);

/** Returns the headers that a response has by its operation and status. */
const impliedHeaders = (operation: Operation, status: string): HeaderName[] => {
  // Node's own answer, which no hook has seen.
  if (status === '431') return [];
  const limits: HeaderName[] =
    status === '429' || (isCounted(operation) && /^2/.test(status)) ? ['RateLimit-Policy', 'RateLimit'] : [];
  return ['X-Request-Id', ...limits, ...(/^(429|503)$/.test(status) ? (['Retry-After'] as const) : [])];
};

const toResponse = (operation: Operation, response: Response, status: string, schemas: Json): Response => {
  const names = [...impliedHeaders(operation, status), ...Object.keys(response.headers ?? {})];
  return {
    description:
      response.description === 'Default Response' ? `${STATUS_CODES[status]}.` : response.description,
    ...(names.length === 0
      ? {}
      : { headers: Object.fromEntries(names.map((name) => [name, headerRef(name)])) }),
    ...(response.content && { content: hoistSchemas(response.content, schemas) as Record<string, Json> }),
  };
};

/** The statuses of failures and of successes without a body, which many operations have in common. */
const COMMON = /^([45]\d\d|204|304)$/;

/** The status itself, since every operation names some ten of them; `400Text` where the failure is plain text. */
const responseName = (status: string, { content = {} }: Response): string =>
  `${status}${'text/plain' in content ? 'Text' : ''}`;

/** Removes what a parameter need not say: the title of its schema, which stays in place, and `required: false`. */
const shorten = ({ schema, required, ...parameter }: Json): Json => {
  const must = required === true ? { required } : {};
  if (!isObject(schema)) return { ...parameter, ...must };
  const { title, ...rest } = schema;
  return { ...parameter, ...must, schema: rest };
};

const nameOf = ({ name }: Json): string => String(name);

/** Returns what occurs several times, by its name; of several with one name, the first that does. */
const repeated = <T>(things: readonly (readonly [name: string, thing: T])[]): Record<string, T> => {
  const seen = new Set<string>();
  const found: Record<string, T> = {};
  for (const [name, thing] of things) {
    const text = JSON.stringify(thing);
    if (seen.has(text)) found[name] ??= thing;
    seen.add(text);
  }
  return found;
};

interface Components {
  readonly parameters: Json;
  readonly responses: Json;
}

const commonTo = (operations: readonly Operation[]): Components => ({
  parameters: repeated(
    operations.flatMap(({ parameters = [] }) => parameters.map((each) => [nameOf(each), each] as const)),
  ),
  responses: repeated(
    operations.flatMap(({ responses }) =>
      Object.entries(responses)
        .filter(([status]) => COMMON.test(status))
        .map(([status, response]) => [responseName(status, response), response] as const),
    ),
  ),
});

/** Returns a reference to the component of this name if it is the same as `thing`, else `thing`. */
const shared = (kind: keyof Components, name: string, thing: object, common: Components): object =>
  same(common[kind][name], thing) ? { $ref: `#/components/${kind}/${name}` } : thing;

const withRefs = ({ parameters, responses, ...rest }: Operation, common: Components): Json => ({
  ...rest,
  ...(parameters && {
    parameters: parameters.map((each) => shared('parameters', nameOf(each), each, common)),
  }),
  responses: mapValues(responses, (response, status) =>
    COMMON.test(status) ? shared('responses', responseName(status, response), response, common) : response,
  ),
});

/** Moves the schemas of an operation to `schemas`, and adds the headers of its responses. */
const written = (operation: Operation, schemas: Json): Operation => {
  const { parameters, responses, ...rest } = operation;
  return {
    ...(hoistSchemas(rest, schemas) as object),
    ...(parameters && { parameters: parameters.map(shorten) }),
    responses: mapValues(responses, (response, status) => toResponse(operation, response, status, schemas)),
  };
};

const byName = (components: Json): Json =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns the document with components: each schema with a `title`, by that name; the parameters, failures and empty
 * answers that operations share; the headers. Adds headers to responses: `X-Request-Id` to all, `RateLimit` and `RateLimit-Policy` to those that the
 * rate limit counts, `Retry-After` to 429 and 503.
 *
 * @throws {Error} Two schemas that differ have the same title, or a header is unknown.
 */
export const nameComponents = <T extends object>(document: T): T => {
  const { components: given, paths: all = {} } = document as Document;
  const schemas: Json = {};
  const full = mapValues(all, (operations) =>
    mapValues(operations, (operation) => written(operation, schemas)),
  );
  const common = commonTo(Object.values(full).flatMap((operations) => Object.values(operations)));
  const paths = mapValues(full, (operations) =>
    mapValues(operations, (operation) => withRefs(operation, common)),
  );
  const components = {
    ...given,
    schemas: byName(schemas),
    responses: byName(common.responses),
    parameters: byName(common.parameters),
    headers: HEADERS,
  };
  return { ...document, paths, components };
};
