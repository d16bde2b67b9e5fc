/** Defaults: described in requests, and filled in where answers say what a request meant. */
import Type, { type Static, type TSchema } from 'typebox';
import type { Json } from './document.ts';

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
