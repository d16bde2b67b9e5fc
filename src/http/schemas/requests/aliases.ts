/** Former spellings of fields, which requests may still use. */
import type { FastifyValidationResult } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { ALIASES } from '../../../validation/ajv.ts';
import { isRecord } from './violations.ts';

/** Returns the option of an object's schema with the other spellings. @param spellings Each with its field. */
export const declareAliases = (spellings: Readonly<Record<string, string>>) => ({ [ALIASES]: spellings });

/** Returns the former spellings that a schema accepts. */
export const spellingsOf = (schema: unknown): string[] =>
  Object.keys((schema as { readonly [ALIASES]?: object } | undefined)?.[ALIASES] ?? {});

/** Returns a validator that first gives fields in other spellings their names, unless both spellings are there. */
export const renameAliases = (
  schema: TSchema & { readonly [ALIASES]?: Readonly<Record<string, string>> },
  validate: FastifyValidationResult,
): FastifyValidationResult => {
  const spellings = Object.entries(schema[ALIASES] ?? {});
  if (spellings.length === 0) return validate;
  return ((value: unknown) => {
    if (isRecord(value))
      for (const [spelling, name] of spellings) {
        if (value[spelling] === undefined || value[name] !== undefined) continue;
        value[name] = value[spelling];
        delete value[spelling];
      }
    return validate(value);
  }) as FastifyValidationResult;
};
