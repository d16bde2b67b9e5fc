/**
 * Makes named components of what the OpenAPI document repeats. These are pure functions of the document that
 * `@fastify/swagger` writes, which has every schema in place.
 */

import { STATUS_CODES } from 'node:http';
import { UNESCAPED_FORMAT } from '../atoms.ts';
import {
  BODY_IS_OPTIONAL,
  type Document,
  isObject,
  isSame,
  type Json,
  mapValues,
  type Operation,
  type Operations,
  type Response,
  tellDefault,
} from './document.ts';
import { HEADERS, type HeaderName } from './headers.ts';

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
  const { title, ...rest } = tellDefault(
    joinNull(mapValues(node, (inner, key) => (VALUES.has(key) ? inner : hoistSchemas(inner, found)))),
  );
  if (rest.format === UNESCAPED_FORMAT) delete rest.format;
  // A field of this name is a schema, not a text.
  if (title !== undefined && typeof title !== 'string') return { title, ...rest };
  if (title === undefined) return rest;
  found[title] ??= rest;
  if (!isSame(found[title], rest)) {
    throw new Error(`two schemas that differ have the title "${title}": give one of them another`);
  }
  return { $ref: `#/components/schemas/${title}` };
};

/** Merges the two schemas of a nullable value into one type, where they differ in nothing but the type. */
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
  const limits: HeaderName[] =
    status === '429' || (isCounted(operation) && /^2/.test(status)) ? ['RateLimit-Policy', 'RateLimit'] : [];
  return ['X-Request-Id', ...limits, ...(/^(429|503)$/.test(status) ? (['Retry-After'] as const) : [])];
};

/**
 * Returns a response with references to its headers, including those that every such response has. Moves its schemas to
 * `schemas`.
 *
 * @throws {Error} A header is unknown.
 */
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

/** `400Text` where the failure is plain text. Every operation has some ten failures. */
const responseName = (status: string, { content = {} }: Response): string =>
  `${status}${'text/plain' in content ? 'Text' : ''}`;

/** Whether operations share a response. Some generators do not read the content of a success behind a reference. */
const mayBeShared = (status: string, { content }: Response): boolean =>
  !/^20[0-2]$/.test(status) || content === undefined;

/** In the form of the names of schemas, and unlike all of them: many generators write a file for each name. */
const nameOf = ({ name }: Json): string =>
  `${String(name).replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase())}Parameter`;

/** Returns what occurs several times, by its name; a further one of the same name gets a number. */
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

/** The components that operations share, by their names. */
interface Components {
  readonly parameters: Json;
  readonly responses: Json;
}

/** Returns what at least two of some operations have in common. */
const findCommon = (operations: readonly Operation[]): Components => ({
  parameters: repeated(
    operations.flatMap(({ parameters = [] }) => parameters.map((each) => [nameOf(each), each] as const)),
  ),
  responses: repeated(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        mayBeShared(status, response) ? [[responseName(status, response), response] as const] : [],
      ),
    ),
  ),
});

/** Creates a function that replaces a part of the document by a reference, where a component is the same. */
const createReplacer = (kind: keyof Components, components: Json): ((thing: object) => object) => {
  const names = new Map(Object.entries(components).map(([name, thing]) => [JSON.stringify(thing), name]));
  return (thing) => {
    const name = names.get(JSON.stringify(thing));
    return name === undefined ? thing : { $ref: `#/components/${kind}/${name}` };
  };
};

/** Removes what is redundant in a parameter: the title of its inline schema, and `required: false`. */
const shorten = ({ schema, required, ...parameter }: Json): Json => {
  const must = required === true ? { required } : {};
  if (!isObject(schema)) return { ...parameter, ...must };
  const { title, ...rest } = schema;
  return { ...parameter, ...must, schema: rest };
};

/** Creates a function that writes operations with references to components. */
const withRefs = (common: Components, usual: Document['security']): ((operation: Operation) => Json) => {
  const ofParameter = createReplacer('parameters', common.parameters);
  const ofResponse = createReplacer('responses', common.responses);
  return ({ parameters, responses, security, ...rest }) => ({
    ...rest,
    ...(security === undefined || isSame(security, usual) ? {} : { security }),
    ...(parameters && { parameters: parameters.map(ofParameter) }),
    responses: mapValues(responses, ofResponse),
  });
};

/** The description with the scope that a key needs, which few generators read in `security`. */
const tellScope = ({ description, security = [] }: Operation): Json => {
  const scopes = new Set(security.flatMap((scheme) => Object.values(scheme) as string[][]).flat());
  if (description === undefined || scopes.size === 0) return {};
  return { description: `${description} Scope: \`${[...scopes].join('`, `')}\`.` };
};

/** Moves the schemas of an operation to `schemas`, and adds the headers of its responses. */
const writeOperation = (operation: Operation, schemas: Json): Operation => {
  const { parameters, requestBody, responses, [BODY_IS_OPTIONAL]: isOptional, ...rest } = operation;
  return {
    ...rest,
    ...tellScope(operation),
    ...(parameters && { parameters: parameters.map(shorten) }),
    ...(requestBody && {
      requestBody: { ...(hoistSchemas(requestBody, schemas) as object), required: isOptional !== true },
    }),
    responses: mapValues(responses, (response, status) => toResponse(operation, response, status, schemas)),
  };
};

/** Does the same for an event, whose receiver may answer as it likes. */
const writeEvent = (operation: Operation, schemas: Json): Operation =>
  hoistSchemas(operation, schemas) as unknown as Operation;

const mapOperations = <T>(all: Operations, map: (operation: Operation) => T) =>
  mapValues(all, (operations) => mapValues(operations, (operation) => map(operation)));

const listOperations = (all: Operations): Operation[] =>
  Object.values(all).flatMap((operations) => Object.values(operations));

const byName = (components: Json): Json =>
  Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns the document with components: each schema with a `title`, by that name; the parameters and answers that
 * operations share; the headers. Bodies stay in place, because some generators see no media type of a body behind a
 * reference, and send JSON without it. Leaves out an operation's security when it is that of the document. Adds headers
 * to responses: `X-Request-Id` to all, `RateLimit` and `RateLimit-Policy` to those that the rate limit counts,
 * `Retry-After` to 429 and 503.
 *
 * @throws {Error} Two schemas that differ have the same title, or a header is unknown.
 */
export const nameComponents = <T extends object>(document: T): T => {
  const { components: given, paths: called = {}, webhooks: events = {}, security } = document as Document;
  const schemas: Json = {};
  const calls = mapOperations(called, (operation) => writeOperation(operation, schemas));
  const deliveries = mapOperations(events, (operation) => writeEvent(operation, schemas));
  const common = findCommon([...listOperations(calls), ...listOperations(deliveries)]);
  const withNames = withRefs(common, security);
  const components = {
    ...given,
    schemas: byName(schemas),
    responses: byName(common.responses),
    parameters: byName(common.parameters),
    headers: HEADERS,
  };
  const paths = mapOperations(calls, withNames);
  return { ...document, paths, webhooks: mapOperations(deliveries, withNames), components };
};
