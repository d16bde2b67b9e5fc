/** How calls name the domain of short links. */
import Type from 'typebox';
import type { Sql } from '../db/client.ts';
import { findLinkDomain } from '../db/tables/domains/served.ts';
import { readHost } from '../domains/host.ts';
import { fieldError } from '../errors.ts';
import { orNull } from '../stored-json.ts';
import { strict } from './schemas/atoms.ts';

/** The query of calls that name a short link by its slug. */
export const DomainQuery = Type.Object(
  {
    domain: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The host of one of your domains, if `slug` is one of there. Absent: a slug of the shared domain, or the one that the link was made with.',
      }),
    ),
  },
  strict,
);

/** The request header of calls that make short links. */
export const DomainHeader = {
  'tessera-domain': Type.Optional(
    Type.String({
      description:
        'The host of one of your domains, at which new short links are, or `shared` for the domain of the service. Default: the default domain of your account.',
    }),
  ),
};

/** The field `domain` of folders and presets. */
export const DomainField = Type.Optional(
  orNull(Type.String({ maxLength: 500 }), {
    description:
      'The host of one of your domains, at which new short links are; null: what comes next says it.',
  }),
);

/** Returns the change that the field means. @throws {AppError} 400 when the account has no such domain. */
export const readDomainField = async (
  sql: Sql,
  accountId: string,
  written: string | null | undefined,
): Promise<{ readonly domainId?: string | null }> => {
  if (written === undefined) return {};
  if (written === null) return { domainId: null };
  const host = readHost(written);
  const found = host.ok ? await findLinkDomain(sql, accountId, host.value) : null;
  if (found === null) throw fieldError('domain', 'must be the host of one of your domains');
  return { domainId: found.id };
};
