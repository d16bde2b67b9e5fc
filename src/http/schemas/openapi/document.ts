/**
 * The parts of an OpenAPI document that its components are made of. Defaults are described in requests, and filled in
 * where answers say what a request meant.
 */
import Type, { type Static, type TSchema } from 'typebox';

/** An object of the document of which nothing more is known. */
export type Json = Record<string, unknown>;

/** What is read of a response. */
export interface Response {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: Readonly<Record<string, Json>>;
}

/** Marks an operation of which some calls have no body. Not part of the document that is served. */
export const BODY_IS_OPTIONAL = 'x-body-is-optional';

/** What is read of an operation. */
export interface Operation {
  readonly description?: string;
  readonly security?: readonly Json[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Readonly<Record<string, Json>> };
  readonly [BODY_IS_OPTIONAL]?: true;
  readonly parameters?: readonly Json[];
  readonly responses: Readonly<Record<string, Response>>;
}

/** The parts of an OpenAPI document that are read here. All others stay as they are. */
export interface Document {
  /** The security of an operation that names none. */
  readonly security?: readonly Json[];
  readonly components?: Json;
  readonly paths?: Operations;
  /** What the service sends, by the name of the event. */
  readonly webhooks?: Operations;
}

/** Operations by their path and method. */
export type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Whether a part of the document is an object, and not an array. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a record with other values under the same names. */
export const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T, key: string) => U) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));

/** Whether two parts of the document are the same, in the same order. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a part of the document is a schema of a value, rather than a set of fields of which one is called `default`. */
const isValue = ({ type, enum: names }: Json): boolean => typeof type === 'string' || Array.isArray(names);

const formatDefault = (value: unknown): string =>
  typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value);

/**
 * Returns a schema with its default in words. Client generators treat a field with the keyword `default` as always
 * present. That holds for answers, but a request may omit it.
 */
export const tellDefault = (schema: Json): Json => {
  if (!('default' in schema) || !isValue(schema)) return schema;
  const { default: value, description, ...rest } = schema;
  const words = `Default: ${formatDefault(value)}.`;
  return { ...rest, description: description === undefined ? words : `${description} ${words}` };
};

interface Fields {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Fields & { readonly default?: unknown }>>;
}

const filledIn = (schema: Fields): object => {
  const fields = Object.entries(schema.properties ?? {});
  const objects = fields.filter(([, { properties }]) => properties !== undefined);
  const required = fields.filter(([, field]) => field.default !== undefined).map(([name]) => name);
  return {
    type: 'object',
    allOf: [schema],
    ...(required.length > 0 && { required }),
    ...(objects.length > 0 && {
      properties: Object.fromEntries(
        objects.map(([name, field]) => [name, { ...filledIn(field), title: `Full${field.title}` }]),
      ),
    }),
  };
};

/**
 * Returns the schema of answers that say what a request of another schema meant: every field with a default is present,
 * as the serializer of answers writes it.
 */
export const withDefaultsFilledIn = <T extends TSchema>(schema: T, title: string) =>
  Type.Unsafe<Static<T>>({ ...filledIn(schema as Fields), title });
