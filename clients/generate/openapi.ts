/** The parts of an OpenAPI document from which clients are made. */

/** A JSON Schema, as far as it decides types. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly maximum?: number;
  readonly description?: string;
}

/** A parameter of a call. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** Bodies by their media types. */
export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** An answer of a call. */
export interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

/** A call. */
export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  /** Whether it changes nothing, although its method could. */
  readonly 'x-safe'?: boolean;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** What generators read of the document. */
export interface Document {
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Pick<Operation, 'requestBody'>>>>>;
}

/** Returns what a reference of the document leads to, or the part itself. @throws {Error} It leads nowhere. */
export const resolve = <T>(document: Document, part: unknown): T => {
  const { $ref } = part as { readonly $ref?: string };
  if ($ref === undefined) return part as T;
  const found = $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
  if (found === undefined) throw new Error(`the document has no ${$ref}`);
  return resolve(document, found);
};

/** Returns the name of the schema that a reference leads to. */
export const nameOfRef = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The media type of most bodies. */
export const JSON_TYPE = 'application/json';
