import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { FastifyValidationResult } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import type { Fault } from '../../../workers/protocol.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import { parseColor } from '../../generate/request/color.ts';
import { COLOR_FORMAT, IMAGE_FORMAT } from '../../generate/request/picture-options.ts';
import type { TimeSlices } from '../bodies/time-slices.ts';

/** Messages for formats, because their names do not say what a caller must write. */
const FORMAT_RULES: Readonly<Record<string, string>> = {
  [COLOR_FORMAT]: 'must be a CSS colour, for example #1a2b3c, rebeccapurple or rgb(26 43 60)',
  [IMAGE_FORMAT]: 'must be an http(s) URL or a base64 data:image/... URI of a png, jpeg, webp, gif or svg',
  uuid: 'must be a UUID',
  date: 'must be a date, or a date and time, as in RFC 3339',
  'date-time': 'must be a date and time as in RFC 3339',
};

/** The form that every store reads (RFC 9562, 4), without `urn:uuid:` or braces. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** An integer without exponent, plus sign, leading zero or white space. */
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

const createAjv = (isImageSource: (text: string) => boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    // Only the first offending field is reported, and a hostile body must not cost a long list.
    allErrors: false,
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: true,
    strict: true,
    // Counts UTF-16 units, because counting code points would read all of a two-megabyte logo. The counts differ only
    // for texts that are too long for a code anyway.
    unicode: false,
    // Without this, each start would log that the option above is deprecated. No other option has its effect.
    logger: false,
    keywords: ['example'],
  });
  addFormats.default(ajv, ['date', 'date-time']);
  ajv.addFormat('uuid', UUID);
  ajv.addFormat(COLOR_FORMAT, (text: string) => parseColor(text) !== null);
  ajv.addFormat(IMAGE_FORMAT, isImageSource);
  return ajv;
};

type Batch = TSchema & { readonly properties: { readonly items: TSchema & { readonly items: TSchema } } };

const isBatch = (schema: TSchema): schema is Batch =>
  (schema as Partial<Batch>).properties?.items?.items !== undefined;

/**
 * Returns a validator for batches. It validates the rest of the batch first, and then the items, in turns of the event
 * loop, because a hundred items with all options take too long for one turn. It throws an `AppError` (400) for the first
 * violation, because Fastify ignores what an asynchronous validator returns.
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

/** Returns a validator that first converts texts to integers in the fields that are integers. */
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
 * Creates the validators. Bodies are validated as they are. In queries, path parameters and headers, which arrive as
 * text, integers are converted first; any other text stays, and the field refuses it.
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

/** Returns the name of the offending field: `/items/3` and a property become `items.3.property`. */
const fieldOf = (error: ValidationError): string => {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const property = error.params.additionalProperty ?? error.params.missingProperty;
  if (typeof property === 'string') path.push(property);
  // The answer has the caller's own field name, so it is cut to one line of bounded length.
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

/**
 * Makes a check of values that do not come as the body of a request. It returns the first thing that is wrong, or `null`, and
 * writes defaults into the value.
 */
export const createCheck = (schema: TSchema, isImageSource: (text: string) => boolean) => {
  const validate = createAjv(isImageSource).compile(schema);
  return (value: unknown): Fault | null => {
    if (validate(value)) return null;
    const [first] = validate.errors!;
    return { field: fieldOf(first!) || 'row', message: messageOf(first!) };
  };
};

/** Returns the error for the first violation in the specification's form (7.1): `<field>: <message>`. */
const violation = (errors: readonly ValidationError[], part: string): AppError => {
  const [first] = errors;
  const field = first === undefined ? '' : fieldOf(first);
  const message = first === undefined ? 'is not valid' : messageOf(first);
  return new AppError(CODE_OF_PART[part] ?? 'invalid_body', `${field || part}: ${message}`);
};

/** Returns the error for a violation that Fastify found in a part of the request, such as `querystring`. */
export const toValidationError = (errors: readonly FastifySchemaValidationError[], part: string): AppError =>
  violation(errors as readonly ValidationError[], part);
