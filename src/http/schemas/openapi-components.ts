/**
 * Makes named components of what the OpenAPI document repeats. These are pure functions of the document that
 * `@fastify/swagger` writes, which has every schema in place.
 */
import { STATUS_CODES } from 'node:http';
import { UNESCAPED_FORMAT } from './atoms.ts';
import { HEADERS, type HeaderName } from './openapi-headers.ts';

type Json = Record<string, unknown>;

interface Response {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, Json>>;
}

interface Operation {
  readonly security?: readonly Json[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, Json>> };
  readonly parameters?: readonly Json[];
  readonly responses: Readonly<Record<string, Response>>;
}

/** The parts of an OpenAPI document that are read here. All others stay as they are. */
interface Document {
  /** What an operation asks for that says nothing else. */
  readonly security?: readonly Json[];
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
  const { title, ...rest } = joinNull(
    mapValues(node, (inner, key) => (VALUES.has(key) ? inner : hoistSchemas(inner, found))),
  );
  if (rest.format === UNESCAPED_FORMAT) delete rest.format;
  // A field of this name is a schema, not a text.
  if (title !== undefined && typeof title !== 'string') return { title, ...rest };
  if (title === undefined) return rest;
  found[title] ??= rest;
  if (!same(found[title], rest)) {
    throw new Error(`two schemas that differ have the title "${title}": give one of them another`);
  }
  return { $ref: `#/components/schemas/${title}` };
};

/** Writes what may be null as one type in place of two schemas, where nothing but the type tells them apart. */
const joinNull = (schema: Json): Json => {
  const [first, second, ...more] = Array.isArray(schema.anyOf) ? (schema.anyOf as readonly Json[]) : [];
  const isPlain = typeof first?.type === 'string' && !('enum' in first) && !('const' in first);
  if (!isPlain || second?.type !== 'null' || more.length > 0) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...first, ...rest, type: [first.type, 'null'] };
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

/** The name of the schema of a JSON body; `null`: it has none, or is no JSON. */
const schemaName = (content: Readonly<Record<string, Json>> = {}): string | null => {
  const { schema } = content['application/json'] ?? {};
  const ref = isObject(schema) ? schema.$ref : undefined;
  return typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : null;
};

/**
 * A success is called after its schema. Others are called after their status, since every operation names some ten of
 * them; `400Text` where the failure is plain text.
 */
const responseName = (status: string, { content = {} }: Response): string => {
  const schema = /^20[0-2]$/.test(status) ? schemaName(content) : null;
  return schema === null ? `${status}${'text/plain' in content ? 'Text' : ''}` : `${schema}${status}`;
};

/** Removes what a parameter need not say: the title of its schema, which stays in place, and `required: false`. */
const shorten = ({ schema, required, ...parameter }: Json): Json => {
  const must = required === true ? { required } : {};
  if (!isObject(schema)) return { ...parameter, ...must };
  const { title, ...rest } = schema;
  return { ...parameter, ...must, schema: rest };
};

const nameOf = ({ name }: Json): string => String(name);

/** Returns what occurs several times, by its name; another of the same name gets a number. */
const repeated = <T>(things: readonly (readonly [name: string, thing: T])[]): Record<string, T> => {
  const counts = new Map<string, number>();
  const found: Record<string, T> = {};
  for (const [name, thing] of things) {
    const text = JSON.stringify(thing);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count !== 2) continue;
    let free = name;
    for (let n = 2; free in found; n += 1) free = `${name}-${n}`;
    found[free] = thing;
  }
  return found;
};

interface Components {
  readonly parameters: Json;
  readonly responses: Json;
  readonly requestBodies: Json;
}

const commonTo = (operations: readonly Operation[]): Components => ({
  parameters: repeated(
    operations.flatMap(({ parameters = [] }) => parameters.map((each) => [nameOf(each), each] as const)),
  ),
  responses: repeated(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).map(
        ([status, response]) => [responseName(status, response), response] as const,
      ),
    ),
  ),
  requestBodies: repeated(
    operations.flatMap(({ requestBody }) => {
      const name = schemaName(requestBody?.content);
      return name === null ? [] : [[name, requestBody!] as const];
    }),
  ),
});

/** Returns a reference to the component that is the same as `thing`; without one, `thing`. */
const shared = (components: Json, kind: keyof Components, thing: object): object => {
  const [name] = Object.entries(components).find(([, component]) => same(component, thing)) ?? [];
  return name === undefined ? thing : { $ref: `#/components/${kind}/${name}` };
};

const withRefs = (
  { parameters, requestBody, responses, security, ...rest }: Operation,
  common: Components,
  usual: Document['security'],
): Json => ({
  ...rest,
  ...(security === undefined || same(security, usual) ? {} : { security }),
  ...(parameters && { parameters: parameters.map((each) => shared(common.parameters, 'parameters', each)) }),
  ...(requestBody && { requestBody: shared(common.requestBodies, 'requestBodies', requestBody) }),
  responses: mapValues(responses, (response) => shared(common.responses, 'responses', response)),
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
 * Returns the document with components: each schema with a `title`, by that name; the parameters, bodies and
 * answers that operations share; the headers. Leaves out the security of operations that is that of the document. Adds headers to responses: `X-Request-Id` to all, `RateLimit` and `RateLimit-Policy` to those that the
 * rate limit counts, `Retry-After` to 429 and 503.
 *
 * @throws {Error} Two schemas that differ have the same title, or a header is unknown.
 */
export const nameComponents = <T extends object>(document: T): T => {
  const { components: given, paths: all = {}, security } = document as Document;
  const schemas: Json = {};
  const full = mapValues(all, (operations) =>
    mapValues(operations, (operation) => written(operation, schemas)),
  );
  const common = commonTo(Object.values(full).flatMap((operations) => Object.values(operations)));
  const paths = mapValues(full, (operations) =>
    mapValues(operations, (operation) => withRefs(operation, common, security)),
  );
  const components = {
    ...given,
    schemas: byName(schemas),
    responses: byName(common.responses),
    parameters: byName(common.parameters),
    requestBodies: byName(common.requestBodies),
    headers: HEADERS,
  };
  return { ...document, paths, components };
};
