/** Finds more than the first thing that is wrong with a request, at a bounded cost. */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { Fault } from '../../../workers/protocol.ts';
import { faultOf, type ValidationError } from '../../validation/ajv.ts';

/** The most faults that an error lists. */
export const FAULTS_MAX = 10;

/** The parts of a schema that say where other schemas apply. */
interface Parts {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: TSchema;
  readonly maxItems?: number;
}

/** Whether a value is an object with fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

type Place = readonly [name: string, schema: TSchema, value: unknown];

/** Returns the fields and items of a value for which its schema has another schema. */
const placesIn = ({ properties = {}, items, maxItems = 0 }: Parts, value: unknown): readonly Place[] => {
  if (Array.isArray(value)) {
    const isChecked = items !== undefined && value.length <= maxItems;
    return isChecked ? value.map((item, index) => [String(index), items, item]) : [];
  }
  if (!isRecord(value)) return [];
  return Object.entries(properties).flatMap(([name, schema]) =>
    value[name] === undefined ? [] : [[name, schema, value[name]] as const],
  );
};

/** Yields the faults of the fields of an object that are missing or unknown, in the order in which Ajv finds them. */
function* faultyFields(
  { properties = {}, required = [], additionalProperties }: Parts,
  value: unknown,
  at: string,
) {
  if (!isRecord(value)) return;
  const fault = (keyword: string, params: ValidationError['params']) =>
    faultOf([{ instancePath: at, keyword, params }]);
  for (const name of required)
    if (value[name] === undefined) yield fault('required', { missingProperty: name });
  if (additionalProperties !== false) return;
  for (const name in value)
    if (!Object.hasOwn(properties, name)) yield fault('additionalProperties', { additionalProperty: name });
}

const known = new WeakMap<TSchema, TSchema>();

/**
 * Wraps a schema as the field '' of an object, because Ajv refuses a schema with a default at the root. Ajv caches what
 * it compiles by schema object, so this returns the same object each time.
 */
const inObject = (schema: TSchema): TSchema => {
  const made = known.get(schema) ?? { type: 'object', properties: { '': schema } };
  known.set(schema, made);
  return made;
};

/** A value that is not valid, and where it is. */
interface Invalid {
  readonly schema: TSchema;
  readonly value: unknown;
  /** A JSON pointer. */
  readonly at: string;
  /** What Ajv found in it, with paths from the root of the request. */
  readonly errors: readonly ValidationError[];
}

/** Yields what is wrong in a value, at most one fault for each of its fields and items. */
function* faultsIn(ajv: Ajv2020, { schema, value, at, errors }: Invalid): Generator<Fault, void> {
  let hasParts = false;
  for (const fault of faultyFields(schema, value, at)) {
    hasParts = true;
    yield fault;
  }
  for (const [name, part, inner] of placesIn(schema, value)) {
    const validate = ajv.compile(inObject(part));
    if (validate({ '': inner })) continue;
    hasParts = true;
    const place = `${at}/${escapePointer(name)}`;
    const inside = validate.errors!.map((error) => ({
      ...error,
      instancePath: place + error.instancePath.slice(1),
    }));
    yield* faultsIn(ajv, { schema: part, value: inner, at: place, errors: inside });
  }
  if (!hasParts) yield faultOf(errors);
}

/**
 * Adds what is wrong in a value, until there are more faults than an error lists. What is larger than its schema allows
 * is one fault, and its parts are not checked.
 *
 * @param faults By field; existing ones stay first.
 */
export const addFaults = (faults: Map<string, string>, ajv: Ajv2020, invalid: Invalid): void => {
  for (const { field, message } of faultsIn(ajv, invalid)) {
    if (faults.size > FAULTS_MAX) return;
    if (!faults.has(field)) faults.set(field, message);
  }
};
