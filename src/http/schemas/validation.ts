import type { ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import type { FastifyValidationResult } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import type { Fault } from '../../../workers/protocol.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { TimeSlices } from '../../execution/time-limits.ts';
import { createAjv, faultOf } from '../../validation/ajv.ts';
import type { Once } from '../compile.ts';
import { addFaults, FAULTS_MAX, isRecord } from './violations.ts';

/** An integer without exponent, plus sign, leading zero or white space. */
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
/** Digits, with others after a point: no exponent, which no caller writes. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/;

type Bulk = TSchema & { readonly properties: { readonly items: TSchema & { readonly items: TSchema } } };

const isBulk = (schema: TSchema): schema is Bulk =>
  (schema as Partial<Bulk>).properties?.items?.items !== undefined;

/**
 * Returns a validator for bulk calls. It validates the rest of the body first, and then the items, in turns of the
 * event loop, because a hundred items with all options take too long for one turn. It throws an
 * `AppError` (400), because Fastify ignores what an asynchronous validator returns.
 */
const validateInSlices = (ajv: Ajv2020, schema: Bulk, slices: TimeSlices, once: Once) => {
  const { items } = schema.properties;
  const rest = { ...schema, properties: { ...schema.properties, items: { ...items, items: {} } } };
  const restOf = once(() => ajv.compile(rest));
  const itemOf = once(() => ajv.compile(items.items));
  return async (body: unknown): Promise<void> => {
    const [validateRest, validateItem] = [restOf(), itemOf()];
    const faults = new Map<string, string>();
    if (!validateRest(body))
      addFaults(faults, ajv, { schema: rest, value: body, at: '', errors: validateRest.errors! });
    const sent = isRecord(body) && !faults.has('items') && faults.size <= FAULTS_MAX ? body.items : [];
    const all: readonly unknown[] = Array.isArray(sent) ? sent : [];
    let isOver = slices.slice();
    for (const [index, item] of all.entries()) {
      if (isOver()) {
        await slices.next();
        isOver = slices.slice();
      }
      if (!validateItem(item)) {
        const at = `/items/${index}`;
        const errors = validateItem.errors!.map((error) => ({
          ...error,
          instancePath: at + error.instancePath,
        }));
        addFaults(faults, ajv, { schema: items.items, value: item, at, errors });
      }
      if (faults.size > FAULTS_MAX) break;
    }
    if (faults.size > 0) throw faultsError([...faults].map(toFault), 'body');
  };
};

const toFault = ([field, message]: readonly [string, string]): Fault => ({ field, message });

type Convert = (text: string) => unknown;

const toNumber =
  (spelling: RegExp): Convert =>
  (text) =>
    spelling.test(text) ? Number(text) : text;

/** Converters of texts, by type. A text that does not fit its type is left unchanged, and its field refuses it. */
const CONVERSIONS: ReadonlyMap<unknown, Convert> = new Map([
  ['integer', toNumber(INTEGER)],
  ['number', toNumber(DECIMAL)],
  ['boolean', (text) => (text === 'true' ? true : text === 'false' ? false : text)],
]);

interface SchemaOfFields {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

/**
 * Returns a validator that first converts texts in the fields that are numbers or booleans, in place. It returns no new
 * value: given new headers, Fastify copies all headers whenever they are read.
 */
const convertTexts = (schema: TSchema, validate: FastifyValidationResult): FastifyValidationResult => {
  const fields = Object.entries((schema as SchemaOfFields).properties ?? {}).flatMap(([name, { type }]) => {
    const convert = CONVERSIONS.get(type);
    return convert === undefined ? [] : [[name, convert] as const];
  });
  if (fields.length === 0) return validate;
  return ((values: Record<string, unknown>) => {
    for (const [name, convert] of fields) {
      const text = values[name];
      if (typeof text === 'string') values[name] = convert(text);
    }
    return validate(values);
  }) as FastifyValidationResult;
};

/** What is wrong with a part of a request, as the validators give it to Fastify. */
interface Violation extends FastifySchemaValidationError {
  readonly fault: Fault;
}

const toViolation = (fault: Fault): Violation => ({
  fault,
  keyword: '',
  instancePath: '',
  schemaPath: '',
  params: {},
  message: fault.message,
});

/** Returns a validator that compiles its schema when it first validates something. */
const compileLater = (ajv: Ajv2020, schema: TSchema, once: Once): FastifyValidationResult => {
  const compiled = once(() => ajv.compile(schema));
  return ((value: unknown) => {
    const validate = compiled();
    if (validate(value)) return true;
    const { field, message } = faultOf(validate.errors!);
    const faults = new Map([[field, message]]);
    addFaults(faults, ajv, { schema, value, at: '', errors: validate.errors! });
    return { error: [...faults].map(toFault).map(toViolation) };
  }) as FastifyValidationResult;
};

/**
 * Creates the validators. Bodies are validated as they are. In queries, path parameters and headers, which arrive as
 * text, numbers and booleans are converted first; any other text stays, and the field refuses it. A schema is compiled
 * for the first request that needs it: compiling all takes a fifth of the processor time of a start.
 */
export const createValidatorCompiler = (
  isImageSource: (text: string) => boolean,
  slices: TimeSlices,
  once: Once,
): FastifySchemaCompiler<TSchema> => {
  const ajv = createAjv(isImageSource);
  return ({ schema, httpPart }) => {
    if (httpPart !== 'body') return convertTexts(schema, compileLater(ajv, schema, once));
    if (!isBulk(schema)) return compileLater(ajv, schema, once);
    return validateInSlices(ajv, schema, slices, once) as unknown as FastifyValidationResult;
  };
};

/**
 * Returns the validator of a route whose body is stored or sent on. It checks a copy, because the defaults that
 * validation writes would be taken for what the caller said.
 */
export const withoutDefaults =
  (app: Pick<FastifyInstance, 'validatorCompiler'>): FastifySchemaCompiler<unknown> =>
  (part) => {
    const validate = app.validatorCompiler!(part);
    return (value) => validate(structuredClone(value));
  };

/** Returns the validator of a route that reads its body as a stream: the schema of the body only documents it. */
export const withoutBody =
  (app: Pick<FastifyInstance, 'validatorCompiler'>): FastifySchemaCompiler<unknown> =>
  (part) =>
    part.httpPart === 'body' ? () => true : app.validatorCompiler!(part);

const CODE_OF_PART: Readonly<Record<string, ErrorCode>> = {
  body: 'invalid_body',
  querystring: 'invalid_query',
  params: 'invalid_params',
  headers: 'invalid_header',
};

/**
 * Makes a check of values that do not come as the body of a request. It returns the first thing that is wrong, or
 * `null`, and writes defaults into the value.
 */
export const createCheck = (schema: TSchema, isImageSource: (text: string) => boolean) => {
  let compiled: ValidateFunction | undefined;
  return (value: unknown): Fault | null => {
    compiled ??= createAjv(isImageSource).compile(schema);
    const validate = compiled;
    if (validate(value)) return null;
    const { field, message } = faultOf(validate.errors!);
    return { field: field || 'row', message };
  };
};

const FAULTS_OF_QUERIES: Readonly<Record<string, string>> = {
  'is not a known field': 'is not a parameter of this call',
};

/**
 * Returns the error for violations. Its details name the first one in the specification's form (7.1),
 * `<field>: <message>`, and say how many more there are; those are listed separately.
 */
const faultsError = (found: readonly Fault[], part: string): AppError => {
  const faults = found.map(({ field, message }) => ({
    field: field || part,
    message: part === 'querystring' ? (FAULTS_OF_QUERIES[message] ?? message) : message,
  }));
  const [{ field, message } = { field: part, message: 'is not valid' }, ...others] = faults;
  const more = others.length < FAULTS_MAX ? others.length : `more than ${FAULTS_MAX - 1}`;
  return new AppError(
    CODE_OF_PART[part] ?? 'invalid_body',
    `${field}: ${message}${others.length === 0 ? '' : ` (and ${more} more)`}`,
    others.length === 0 ? {} : { faults: faults.slice(0, FAULTS_MAX) },
  );
};

/** Returns the error for violations that a validator found in a part of the request, such as `querystring`. */
export const toValidationError = (errors: readonly FastifySchemaValidationError[], part: string): AppError =>
  faultsError(
    (errors as readonly Violation[]).map(({ fault }) => fault),
    part,
  );
