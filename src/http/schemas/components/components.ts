/**
 * Makes named components of what the OpenAPI document repeats. These are pure functions of the document that
 * `@fastify/swagger` writes, which has every schema in place.
 */
import { HEADERS } from '../openapi-headers.ts';
import {
  BODY_IS_OPTIONAL,
  type Document,
  isObject,
  isSame,
  type Json,
  mapValues,
  type Operation,
  type Operations,
} from './document.ts';
import { toResponse } from './responses.ts';
import { type Components, createReplacer, findCommon } from './shared.ts';
import { hoistSchemas } from './titled.ts';

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
  return { description: `${description} Needs the scope \`${[...scopes].join('` or `')}\`.` };
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
