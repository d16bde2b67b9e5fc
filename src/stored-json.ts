import Type, { type Static, type TSchema, type TSchemaOptions } from 'typebox';
import Value from 'typebox/value';

/** Makes a schema accept `null` too. */
export const orNull = <T extends TSchema>(schema: T, options?: TSchemaOptions) =>
  Type.Union([schema, Type.Null()], options);

/**
 * Reads JSON that the service or the command line stored. Returns `null` unless it is JSON and fits the schema. The
 * compiler takes seconds where it may infer a schema from the type that a caller wants: hence `NoInfer`.
 */
export const readStored = <S extends TSchema>(schema: S, text: string): NoInfer<Static<S>> | null => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return Value.Check(schema, value) ? value : null;
};
