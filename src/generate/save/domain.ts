/** Chooses the domain of the short links that a call makes. */
import type { LinkDomain } from '../../db/tables/domains/served.ts';
import type { BulkStore } from '../../db/tables/saving.ts';
import { readHost } from '../../domains/host.ts';
import { fieldError } from '../../errors.ts';

/** What the header says for the domain that all accounts share. No host of a domain has this name. */
export const SHARED = 'shared';

/** The request header of calls that make short links. */
const HEADER = 'Tessera-Domain';

/**
 * Returns the domain that a call names or, if it names none, the default one of its account; `null`: the shared domain.
 *
 * @param named The header `Tessera-Domain`.
 * @throws {AppError} 400 when the account has no such domain, or it is not proved: nothing is printed that leads nowhere.
 */
export const chooseDomain = async (
  store: Pick<BulkStore, 'findDomain' | 'findDefaultDomain'>,
  accountId: string,
  named: string | undefined,
): Promise<LinkDomain | null> => {
  if (named?.trim().toLowerCase() === SHARED) return null;
  if (named === undefined) {
    const usual = await store.findDefaultDomain(accountId);
    if (usual === null || usual.isVerified) return usual;
    throw fieldError(
      HEADER,
      `${usual.host} is the default domain of the account and no longer proved; prove it again, or send ${SHARED}`,
      'invalid_header',
    );
  }
  const host = readHost(named);
  const found = host.ok ? await store.findDomain(accountId, host.value) : null;
  if (found?.isVerified) return found;
  throw fieldError(HEADER, `must be one of your domains that is proved, or ${SHARED}`, 'invalid_header');
};
