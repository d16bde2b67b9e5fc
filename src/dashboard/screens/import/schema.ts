/** Checks values against the part of JSON Schema that the service's document uses for a bulk item. */

/** The keywords that are understood; others are left to the service. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  /** Replaces all other keywords, for example `#/components/schemas/Gradient`. */
  readonly $ref?: string;
}

/** Returns the schema with every `$ref` replaced by what it names. No reference may lead back to itself. */
export const withoutRefs = (schema: Schema, named: Readonly<Record<string, Schema>>): Schema => {
  const { $ref, properties, items } = schema;
  if ($ref !== undefined) return withoutRefs(named[$ref.split('/').at(-1) ?? ''] ?? {}, named);
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, withoutRefs(field, named)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: withoutRefs(items, named) }),
  };
};

/** Checks of strings, by the name of their format. Other formats are left to the service. */
export type Formats = Readonly<Record<string, (text: string) => boolean>>;

/** The first thing that is wrong with a value. */
interface ValueFault {
  /** For example `dotsOptions.gradient.colorStops.0.offset`. */
  readonly path: string;
  readonly message: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each type with its name in words. */
const OF_TYPE: Readonly<Record<string, readonly [is: (value: unknown) => boolean, name: string]>> = {
  string: [(value) => typeof value === 'string', 'a text'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  number: [Number.isFinite, 'a number'],
  integer: [Number.isInteger, 'a whole number'],
  array: [Array.isArray, 'a list'],
  object: [isFields, 'an object'],
};

const stringFault = (text: string, schema: Schema, formats: Formats): string | null => {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format = '' } = schema;
  // Lengths count code points.
  const characters = [...text].length;
  if (characters < minLength) return `must have ${minLength} characters or more`;
  if (characters > maxLength) return `must have ${maxLength} characters or fewer`;
  if (formats[format]?.(text) === false)
    return format === 'css-color' ? 'is not a CSS colour' : `is not a valid ${format}`;
  return null;
};

const numberFault = (value: number, schema: Schema): string | null => {
  if (schema.minimum !== undefined && value < schema.minimum) return `must be ${schema.minimum} or more`;
  if (schema.maximum !== undefined && value > schema.maximum) return `must be ${schema.maximum} or less`;
  return null;
};

const ownFault = (value: unknown, schema: Schema, formats: Formats): string | null => {
  const [isOfType, name] = OF_TYPE[schema.type ?? ''] ?? [];
  if (isOfType?.(value) === false) return `must be ${name}`;
  if (schema.enum !== undefined && !schema.enum.includes(value))
    return `must be one of ${schema.enum.join(', ')}`;
  if (typeof value === 'string') return stringFault(value, schema, formats);
  if (typeof value === 'number') return numberFault(value, schema);
  if (Array.isArray(value) && value.length < (schema.minItems ?? 0))
    return `must have ${schema.minItems} entries or more`;
  if (Array.isArray(value) && value.length > (schema.maxItems ?? value.length))
    return `must have ${schema.maxItems} entries or fewer`;
  return null;
};

const fieldsFault = (
  value: Fields,
  schema: Schema,
  path: readonly string[],
  formats: Formats,
): ValueFault | null => {
  const missing = schema.required?.find((name) => !(name in value));
  if (missing !== undefined) return { path: [...path, missing].join('.'), message: 'is missing' };
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, name];
    const known = schema.properties?.[name];
    const unknown = known === undefined && schema.additionalProperties === false;
    if (unknown) return { path: here.join('.'), message: 'is unknown' };
    const fault = known === undefined ? null : findFault(inner, known, formats, here);
    if (fault !== null) return fault;
  }
  return null;
};

/** Returns the first thing in a value that its schema forbids; `null` when it forbids nothing. */
export const findFault = (
  value: unknown,
  schema: Schema,
  formats: Formats,
  path: readonly string[] = [],
): ValueFault | null => {
  const message = ownFault(value, schema, formats);
  if (message !== null) return { path: path.join('.'), message };
  if (isFields(value)) return fieldsFault(value, schema, path, formats);
  if (!Array.isArray(value) || schema.items === undefined) return null;
  for (const [index, inner] of value.entries()) {
    const fault = findFault(inner, schema.items, formats, [...path, String(index)]);
    if (fault !== null) return fault;
  }
  return null;
};
