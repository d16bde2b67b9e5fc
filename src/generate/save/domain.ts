/** Chooses the domain of the short links that a call makes. */
import type { LinkDomain } from '../../db/tables/domains/served.ts';
import type { BulkStore, Folder } from '../../db/tables/saving.ts';
import { readHost } from '../../domains/host.ts';
import { type AppError, fieldError } from '../../errors.ts';
import type { Caller } from '../parts.ts';
import type { BulkRequest } from '../request/request.ts';

/** What the header says for the domain that all accounts share. No host of a domain has this name. */
export const SHARED = 'shared';

/** The request header of calls that make short links. */
const HEADER = 'Tessera-Domain';

/** What a call says about the domain of its short links, as hosts. */
export interface DomainChoice {
  /** The header `Tessera-Domain`. */
  readonly domain?: string;
  /** That of its preset. */
  readonly presetDomain?: string | null;
}

const unproved = (host: string, whose: string): AppError =>
  fieldError(
    HEADER,
    `${host} is the domain of ${whose} and not proved; prove it, or send another domain or ${SHARED}`,
    'invalid_header',
  );

const findNamed = async (
  store: DomainStore,
  accountId: string,
  named: string,
): Promise<LinkDomain | null> => {
  const host = readHost(named);
  const found = host.ok ? await store.findDomain(accountId, host.value) : null;
  return found?.isVerified ? found : null;
};

/** What finds domains. */
export type DomainStore = Pick<BulkStore, 'findDomain' | 'findUsualDomain'>;

/**
 * Returns the domain of the links of a call: the one that it names, or else that of its preset, of its folder or of its
 * account; `null`: the shared domain.
 *
 * @throws {AppError} 400 when the account has no such domain, or it is not proved: nothing is printed that leads nowhere.
 */
export const chooseDomain = async (
  store: DomainStore,
  accountId: string,
  { domain: named, presetDomain = null }: DomainChoice,
  folder: Folder,
): Promise<LinkDomain | null> => {
  if (named?.trim().toLowerCase() === SHARED) return null;
  if (named !== undefined) {
    const found = await findNamed(store, accountId, named);
    if (found !== null) return found;
    throw fieldError(HEADER, `must be one of your domains that is proved, or ${SHARED}`, 'invalid_header');
  }
  if (presetDomain !== null) {
    const found = await findNamed(store, accountId, presetDomain);
    if (found !== null) return found;
    throw unproved(presetDomain, 'the preset');
  }
  const usual = await store.findUsualDomain(accountId, folder);
  if (usual === null || usual.isVerified) return usual;
  throw unproved(usual.host, 'the folder or the default one');
};

/** Does the same for a bulk call. Only dynamic items have short links; without one, no domain is looked for. */
export const chooseBulkDomain = async (
  store: DomainStore,
  { accountId, ...choice }: Pick<Caller, 'accountId' | keyof DomainChoice>,
  { items }: BulkRequest,
  folder: Folder,
): Promise<LinkDomain | null> =>
  choice.domain === undefined && !items.some(({ dynamic }) => dynamic)
    ? null
    : chooseDomain(store, accountId, choice, folder);
