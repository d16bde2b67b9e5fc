/** The calls that an OpenAPI document describes, as far as hostile requests need to know them. */
import type { Schema } from './odd-values.ts';

export interface Operation {
  readonly method: string;
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

/** A part of the document. */
// biome-ignore lint/suspicious/noExplicitAny: a document that somebody else wrote
type Json = any;

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];

/** Puts what a reference names in its place. */
const resolve = (node: Json, root: Json): Json => {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => resolve(item, root));
  if (typeof node.$ref === 'string') {
    const path: readonly string[] = node.$ref.split('/').slice(1);
    return resolve(
      path.reduce<Json>((at, name) => at[name], root),
      root,
    );
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value, root)]));
};

const accessOf = (security: readonly Json[] | undefined): Operation['access'] => {
  const [names = []] = (security ?? []).map((way) => Object.keys(way));
  if (names.includes('apiKey')) return 'key';
  if (names.includes('queryKey')) return 'key in query';
  if (names.includes('session')) return 'session';
  return names.includes('adminToken') ? 'admin' : 'anyone';
};

const toOperation = (method: string, path: string, written: Json): Operation => {
  const { parameters = [], requestBody, security } = written;
  const within = (place: string): readonly Parameter[] =>
    parameters
      .filter((parameter: Json) => parameter.in === place)
      .map(({ name, schema = {} }: Json) => ({ name, schema }));
  return {
    method: method.toUpperCase(),
    path,
    pathParameters: within('path'),
    query: within('query'),
    body: requestBody?.content['application/json']?.schema ?? null,
    access: accessOf(security),
  };
};

/** Returns the calls of a document. @param document The content of `/openapi.json`. */
export const operationsOf = (document: unknown): readonly Operation[] => {
  const { paths }: { paths: Readonly<Record<string, Json>> } = resolve(document, document);
  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, written]) => toOperation(method, path, written)),
  );
};
