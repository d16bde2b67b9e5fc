/** The calls that an OpenAPI document describes, with the fields that hostile requests need. */
import type { Schema } from './odd-values.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof METHODS)[number];

export interface Operation {
  readonly method: Method;
  /** The path, with parameters in braces. */
  readonly path: string;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** The schema of a JSON body; `null` when the call takes none. */
  readonly body: Schema | null;
  readonly access: 'key' | 'key in query' | 'session' | 'admin' | 'anyone';
}

interface Parameter {
  readonly name: string;
  readonly schema: Schema;
}

/** A call as an OpenAPI document describes it. */
interface Written {
  readonly parameters?: readonly (Partial<Parameter> & { readonly name: string; readonly in: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Replaces references with what they refer to. */
const resolve = (node: unknown, root: unknown): unknown => {
  if (Array.isArray(node)) return node.map((item) => resolve(item, root));
  if (!isNode(node)) return node;
  if (typeof node.$ref === 'string') {
    const path = node.$ref.split('/').slice(1);
    return resolve(
      path.reduce((at, name) => (isNode(at) ? at[name] : undefined), root),
      root,
    );
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value, root)]));
};

const accessOf = (security: Written['security'] = []): Operation['access'] => {
  const [names = []] = security.map((way) => Object.keys(way));
  if (names.includes('apiKey')) return 'key';
  if (names.includes('queryKey')) return 'key in query';
  if (names.includes('session')) return 'session';
  return names.includes('adminToken') ? 'admin' : 'anyone';
};

const toOperation = (method: Method, path: string, written: Written): Operation => {
  const { parameters = [], requestBody, security } = written;
  const within = (place: string): readonly Parameter[] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema = {} }) => ({ name, schema }));
  return {
    method,
    path,
    pathParameters: within('path'),
    query: within('query'),
    body: requestBody?.content['application/json']?.schema ?? null,
    access: accessOf(security),
  };
};

/** Returns the calls of a document. @param document The content of `/openapi.json`. */
export const operationsOf = (document: unknown): readonly Operation[] => {
  const { paths, security = [] } = resolve(document, document) as {
    readonly security?: Written['security'];
    readonly paths: Readonly<Record<string, Readonly<Record<string, Written>>>>;
  };
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([name, written]) => {
      const method = METHODS.find((one) => one.toLowerCase() === name);
      return method === undefined ? [] : [toOperation(method, path, { security, ...written })];
    }),
  );
};
