/** Checks answers against the OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

/** A body as the OpenAPI document describes it. */
export interface Media {
  readonly schema?: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** A method of a path, as the OpenAPI document describes it. */
export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly example?: unknown;
    readonly schema?: object;
  }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

/** An answer with one status, as the OpenAPI document describes it. */
export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: object }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

/** The parts of the OpenAPI document that tests use. */
export interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly security?: Operation['security'];
  readonly components: { readonly securitySchemes: object };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: OpenApi['paths'];
}

/** A request and its answer. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly json: unknown;
}

/** Paths outside the API: files of the documentation page and the dashboard, and paths of a GS1 standard. */
const PAGE = /^\/((docs|dashboard(?!\/(session|preview)$))(\/|$)|\d{2,4}\/|\.well-known\/gs1resolver$)/;

/** Converts a header to the type of its schema, which may be a number. */
const fromText = (schema: object, value: unknown): unknown =>
  'type' in schema && schema.type !== 'string' && value !== '' ? Number(value) : value;

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]*')}$`);

/**
 * Replaces each `$ref` with the object that it refers to, which all references share. Operations without their own
 * security get that of the document.
 */
export const withoutRefs = (document: OpenApi): OpenApi => {
  const found = new Map<string, unknown>();
  const lookUp = (ref: string): unknown => {
    const path = ref.slice('#/'.length).split('/');
    const target = path.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    if (!found.has(ref)) found.set(ref, resolve(target));
    return found.get(ref);
  };
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node) return lookUp(String(node.$ref));
    return Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, resolve(inner)]));
  };
  const { paths, ...rest } = resolve(document) as OpenApi;
  const secured = (operation: Operation): Operation => ({ security: rest.security ?? [], ...operation });
  const mapped = <T>(record: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
  return { ...rest, paths: mapped(paths, (operations) => mapped(operations, secured)) };
};

/** Returns the calls that the gateway's document describes. */
export const documentedCalls = (app: FastifyInstance) =>
  Object.entries(withoutRefs(app.swagger() as unknown as OpenApi).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase() as 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT',
      operation,
    })),
  );

/**
 * Creates a check that throws when the document does not allow an answer. It must list the route, status and media
 * type; the body and headers must match its schemas; and no header that it requires may be missing. A route that is
 * not in the document must answer 404.
 */
export const createConformance = (app: FastifyInstance): ((exchange: Exchange) => void) => {
  // `openapi.test.ts` validates the schemas: here each is compiled for only a few answers.
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } },
  });
  addFormats.default(ajv);
  // The validator of requests checks these formats.
  ajv.addFormat('css-color', true).addFormat('logo-source', true);
  const validators = new Map<object, ValidateFunction>();
  let routes:
    | { readonly pattern: RegExp; readonly operations: Readonly<Record<string, Operation>> }[]
    | null = null;

  const validatorOf = (schema: object): ValidateFunction => {
    const made = validators.get(schema) ?? ajv.compile(schema);
    validators.set(schema, made);
    return made;
  };

  const headerFits = (schema: object, value: unknown): boolean =>
    validatorOf(schema)(fromText(schema, value));

  const find = (method: string, path: string): Operation | undefined => {
    routes ??= Object.entries(withoutRefs(app.swagger() as unknown as OpenApi).paths)
      // Fixed paths come before those with parameters, as in the router.
      .sort(([a], [b]) => a.split('{').length - b.split('{').length)
      .map(([path, operations]) => ({ pattern: patternOf(path), operations }));
    const { operations = {} } = routes.find(({ pattern }) => pattern.test(path)) ?? {};
    return operations[method.toLowerCase()] ?? (method === 'HEAD' ? operations.get : undefined);
  };

  return ({ method, url, status, headers, text, json }) => {
    // What stands behind a short link is left out, as the gateway does.
    const path = url.split(/[?#]/, 1)[0]!.replace(/^(\/l\/[^/]+)\/.*$/, '$1');
    // The form of a page that asks for the password of a link is no call of the API.
    if (PAGE.test(path) || (method === 'POST' && path.startsWith('/l/'))) return;
    const where = `${method} ${path.slice(0, 100)} answers ${status}`;
    const fault = (what: string): Error =>
      new Error(`${where}, against the document: ${what}\n${text.slice(0, 500)}`);

    const operation = find(method, path);
    // Methods that a path does not support are not in the document.
    if (status === 405 || (method === 'OPTIONS' && status === 204)) {
      if (headers.allow === undefined) throw fault('the header Allow is missing');
      return;
    }
    if (operation === undefined) {
      // A body with an unsupported type is refused before the path is checked.
      if (status !== 404 && status !== 415) throw fault('there is no such operation');
      return;
    }
    const response = operation.responses[status];
    if (response === undefined) throw fault('the status is not documented');
    if (status === 500) throw fault('no request may cause an internal error');
    for (const [name, { required = false, schema }] of Object.entries(response.headers ?? {})) {
      const value = headers[name.toLowerCase()];
      // A HEAD draws nothing, so headers about the drawing are missing.
      if (value === undefined && required && method !== 'HEAD') throw fault(`the header ${name} is missing`);
      if (value !== undefined && !headerFits(schema, value)) throw fault(`the header ${name} is ${value}`);
    }
    if (method === 'HEAD') return;
    // A client may ask for an answer without a body (RFC 7240).
    if (text === '' && headers['preference-applied'] === 'return=minimal') return;
    const contentType = String(headers['content-type'] ?? '');
    if (response.content === undefined) {
      if (text !== '') throw fault('no body is documented');
      return;
    }
    const media = response.content[contentType.split(';', 1)[0]!];
    if (media === undefined) throw fault(`the media type ${contentType} is not documented`);
    if (!contentType.startsWith('application/json') || media.schema === undefined) return;
    const validate = validatorOf(media.schema);
    if (!validate(json)) throw fault(ajv.errorsText(validate.errors));
  };
};

/** The body that the document shows for a call, if it takes JSON. */
export const bodyOf = ({ requestBody }: Operation): unknown =>
  requestBody?.content['application/json']?.example;
