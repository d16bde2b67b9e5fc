/** The query parameter that names a print profile. */
import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import Type from 'typebox';
import type { Sql } from '../../db/client.ts';
import { findPrintProfile } from '../../db/tables/accounts/print-profiles.ts';
import { toFolderName } from '../../db/tables/names.ts';
import { fieldError } from '../../errors.ts';
import { type FileOptions, overProfile } from '../../generate/request/file-options.ts';
import { ANY_UUID } from '../../texts.ts';
import { principalOf } from '../auth/auth.ts';

export const profileParameter = {
  profile: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Id or name of a print profile; what else the call says overrides it.',
    }),
  ),
};

/** Returns the options of the account's profile with this id or name. @throws {AppError} 400 when it has none. */
export const namedProfile = async (sql: Sql, accountId: string, text: string): Promise<FileOptions> => {
  const name = toFolderName(text);
  const id = ANY_UUID.test(text) ? text : null;
  const found = name.ok ? await findPrintProfile(sql, accountId, { id, name: name.value }) : null;
  if (found !== null) return found.options;
  throw fieldError('profile', 'must be the id or the name of one of your print profiles', 'invalid_query');
};

const lay = async (sql: Sql, request: FastifyRequest, query: object, profile: string): Promise<void> => {
  const options = await namedProfile(sql, principalOf(request).accountId, profile);
  // As a client would send them.
  const texts = Object.entries(options).map(([name, value]) => [name, String(value)]);
  request.query = overProfile<object>(Object.fromEntries(texts), query);
};

/**
 * Makes the hook that lays the query of a call over the profile that it names. It runs before validation, whose defaults
 * would override the profile. Without the parameter it does nothing.
 */
export const createProfileHook =
  (sql: Sql): preValidationHookHandler =>
  (request, _reply, done) => {
    const query = request.query as { readonly profile?: unknown };
    // Validation refuses several.
    if (typeof query.profile !== 'string') return done();
    lay(sql, request, query, query.profile).then(() => done(), done);
  };
