import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { FastifyValidationResult } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { AppError, type ErrorCode } from '../../errors.ts';
import { parseColor } from '../../generate/color.ts';
import { COLOR_FORMAT, IMAGE_FORMAT } from '../../generate/request.ts';
import type { TimeSlices } from '../bodies/time-slices.ts';

/** Texts for the formats whose names would not tell a caller what to write. */
const FORMAT_RULES: Readonly<Record<string, string>> = {
  [COLOR_FORMAT]: 'must be a CSS colour, for example #1a2b3c, rebeccapurple or rgb(26 43 60)',
  [IMAGE_FORMAT]: 'must be an http(s) URL or a base64 data:image/... URI of a png, jpeg, webp, gif or svg',
  uuid: 'must be a UUID',
  'date-time': 'must be a date and time as in RFC 3339',
};

/** RFC 9562, 4: the one form that every store reads alike; `urn:uuid:` and braces are other names for it. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The one way to write an integer: no exponent, sign of plus, leading zero or white space. */
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

const createAjv = (isImageSource: (text: string) => boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    // The first offending field is what is told, and hostile bodies must not buy long error lists.
    allErrors: false,
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: true,
    strict: true,
    // Counts UTF-16 units: counting code points reads all of a two-megabyte logo. They differ only for texts that
    // no code holds.
    unicode: false,
    // It would say at every start that the option above is deprecated; there is no other with its effect.
    logger: false,
    keywords: ['example'],
  });
  addFormats.default(ajv, ['date-time']);
  ajv.addFormat('uuid', UUID);
  ajv.addFormat(COLOR_FORMAT, (text: string) => parseColor(text) !== null);
  ajv.addFormat(IMAGE_FORMAT, isImageSource);
  return ajv;
};

type Batch = TSchema & { readonly properties: { readonly items: TSchema & { readonly items: TSchema } } };

const isBatch = (schema: TSchema): schema is Batch =>
  (schema as Partial<Batch>).properties?.items?.items !== undefined;

/**
 * The rest of a batch first, then an item after the other: a hundred with all options take the time of many turns.
 *
 * @throws {AppError} 400 for the first violation: of an asynchronous validator Fastify takes only what it throws.
 */
const validateInSlices = (ajv: Ajv2020, schema: Batch, slices: TimeSlices) => {
  const { items } = schema.properties;
  const validateRest = ajv.compile({
    ...schema,
    properties: { ...schema.properties, items: { ...items, items: {} } },
  });
  const validateItem = ajv.compile(items.items);
  return async (body: unknown): Promise<void> => {
    if (!validateRest(body)) throw violation(validateRest.errors!, 'body');
    let isOver = slices.slice();
    for (const [index, item] of (body as { readonly items: readonly unknown[] }).items.entries()) {
      if (isOver()) {
        await slices.next();
        isOver = slices.slice();
      }
      if (validateItem(item)) continue;
      const [first] = validateItem.errors!;
      throw violation([{ ...first!, instancePath: `/items/${index}${first!.instancePath}` }], 'body');
    }
  };
};

const integerFieldsOf = ({ properties = {} }: SchemaOfFields): readonly string[] =>
  Object.keys(properties).filter((name) => properties[name]?.type === 'integer');

interface SchemaOfFields {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

/** Converts what is written as an integer in the fields that want one, and then validates. */
const convertIntegers = (schema: TSchema, validate: ValidateFunction): FastifyValidationResult => {
  const integers = integerFieldsOf(schema as SchemaOfFields);
  if (integers.length === 0) return validate as FastifyValidationResult;
  return ((fields: Record<string, unknown>) => {
    for (const name of integers) {
      const text = fields[name];
      if (typeof text === 'string' && INTEGER.test(text)) fields[name] = Number(text);
    }
    return validate(fields) ? { value: fields } : { error: validate.errors ?? [] };
  }) as FastifyValidationResult;
};

/**
 * Bodies are taken as they are. Queries, parameters and headers arrive as text, and integers among them are
 * converted; what is none stays text, which its field refuses.
 */
export const createValidatorCompiler = (
  isImageSource: (text: string) => boolean,
  slices: TimeSlices,
): FastifySchemaCompiler<TSchema> => {
  const ajv = createAjv(isImageSource);
  return ({ schema, httpPart }) => {
    if (httpPart !== 'body') return convertIntegers(schema, ajv.compile(schema));
    if (!isBatch(schema)) return ajv.compile(schema);
    return validateInSlices(ajv, schema, slices) as unknown as FastifyValidationResult;
  };
};

type ValidationError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'message'>;

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** `/items/3` and a property become `items.3.property`. */
const fieldOf = (error: ValidationError): string => {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const property = error.params.additionalProperty ?? error.params.missingProperty;
  if (typeof property === 'string') path.push(property);
  // A caller's own field name stands in the answer: keep it to a line of sane length.
  return path.join('.').replace(/\p{C}/gu, '?').slice(0, 200);
};

const messageOf = (error: ValidationError): string => {
  switch (error.keyword) {
    case 'additionalProperties':
      return 'is not a known field';
    case 'required':
      return 'is required';
    case 'enum':
      return `must be one of ${(error.params.allowedValues as readonly unknown[]).join(', ')}`;
    case 'format':
      return FORMAT_RULES[String(error.params.format)] ?? error.message ?? 'is not valid';
    default:
      return error.message ?? 'is not valid';
  }
};

const CODE_OF_PART: Readonly<Record<string, ErrorCode>> = {
  body: 'invalid_body',
  querystring: 'invalid_query',
  params: 'invalid_params',
  headers: 'invalid_header',
};

/** The first violation as the specification words it: `<field>: <message>`. */
const violation = (errors: readonly ValidationError[], part: string): AppError => {
  const [first] = errors;
  const field = first === undefined ? '' : fieldOf(first);
  const message = first === undefined ? 'is not valid' : messageOf(first);
  return new AppError(CODE_OF_PART[part] ?? 'invalid_body', `${field || part}: ${message}`);
};

export const toValidationError = (errors: readonly FastifySchemaValidationError[], part: string): AppError =>
  violation(errors as readonly ValidationError[], part);
