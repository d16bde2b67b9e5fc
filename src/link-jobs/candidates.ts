/** Reads the rows of imports as far as that needs no look-up: what becomes a link if its slugs are free. */
import type { NamedDomain } from '../db/tables/domains/served.ts';
import type { SlugAt } from '../db/tables/link-jobs/moved-links.ts';
import type { LinkRoute } from '../db/tables/links.ts';
import { OWN_SLUGS_MAX, type OwnSlug, targetKey } from '../db/tables/slugs.ts';
import type { ReadLink } from '../link-imports/read.ts';
import type { MovedLink } from '../link-imports/row.ts';
import { isStoredPassword } from '../links/password.ts';
import { checkOwnSlug, skeletonOf } from '../links/slug.ts';
import { ok, type Result, refused } from '../result.ts';
import type { RowFault } from './kind.ts';
import type { NamedRuleSet } from './rule-sets.ts';

/** What is wrong with a field of a row. */
export type Fault = Pick<RowFault, 'field' | 'message'>;

/** What a row says about visits in the form of the API. */
export interface Guard extends Pick<LinkRoute, 'forward' | 'rules' | 'visitLimit'> {
  readonly ruleSet: NamedRuleSet | null;
  readonly password: string | null;
}

/** What reading a row needs. */
export interface CandidateParts {
  checkDestination(url: string): Result<string, string>;
  /** Reads what is unchecked in a link of a file. */
  readGuard(moved: MovedLink): Result<Guard, Fault>;
  /** The host of short links that all accounts share. */
  publicHost(): string;
}

/** What the call of an import says about its rows. */
export interface ImportTerms {
  /** The folder of links that name none. */
  readonly folder: string;
  /** The domain of all links, whatever their rows say; `null`: that of each row. */
  readonly domain: string | null;
}

/** Returns the line that is stored for a row. */
export const toImportLine = ({ link, called }: Omit<ReadLink, 'fileRow'>): string =>
  JSON.stringify(link.ok ? { link: link.value } : { fault: { ...called, ...link.fault } });

/** A row that may become a link, if its slugs are free. */
export interface Candidate extends Pick<Guard, 'ruleSet' | 'password'> {
  readonly row: number;
  readonly moved: MovedLink;
  /** Without its rule set, and without the hash of `password`. */
  readonly route: LinkRoute;
  /** `null`: one is made up. */
  readonly firstSlug: string | null;
  /** `null`: the domain that all accounts share. */
  readonly domainId: string | null;
  readonly own: OwnSlug | null;
  readonly others: readonly OwnSlug[];
}

const fault = (field: string, message: string): Result<never, Fault> => refused({ field, message });

const FIRST_SLUG = /^[0-9A-Za-z]{8}$/;

/** Domains of an account by their hosts. */
export type DomainsByHost = ReadonlyMap<string, NamedDomain>;

/** Finds the domain of a row; `null`: the one that all accounts share. */
const domainOf = (
  host: string | null,
  publicHost: string,
  domains: DomainsByHost,
): Result<NamedDomain | null, Fault> => {
  if (host === null || host === publicHost) return ok(null);
  const found = domains.get(host);
  if (found !== undefined) return ok(found);
  return fault(
    'domain',
    `is not a domain of your links here; register it, or send domain=${publicHost} to move the links to that one`,
  );
};

/** Returns a slug without the path of short links below the host. */
const withoutPrefix = (slug: string, domain: NamedDomain | null): string => {
  const prefix = domain === null ? 'l' : domain.prefix;
  return prefix !== '' && slug.startsWith(`${prefix}/`) ? slug.slice(prefix.length + 1) : slug;
};

const readOthers = (
  moved: MovedLink,
  known: readonly (string | null)[],
  domainId: string | null,
): Result<readonly OwnSlug[], Fault> => {
  const others: OwnSlug[] = [];
  for (const written of new Set(moved.otherSlugs)) {
    if (known.includes(written)) continue;
    const other = checkOwnSlug(written, domainId);
    if (!other.ok) return fault('other_slugs', other.fault);
    others.push(other.value);
  }
  if (others.length < OWN_SLUGS_MAX) return ok(others);
  return fault('other_slugs', `must be at most ${OWN_SLUGS_MAX - 1}`);
};

/** Reads a time in ISO 8601. */
export const toDate = (written: string | null): Date | null => (written === null ? null : new Date(written));

/** Reads a row. */
export const readCandidate = (
  { checkDestination, readGuard, publicHost }: CandidateParts,
  { domain: named }: ImportTerms,
  domains: DomainsByHost,
  row: number,
  moved: MovedLink,
): Result<Candidate, Fault> => {
  const domain = domainOf(named ?? moved.domain, publicHost(), domains);
  if (!domain.ok) return domain;
  const domainId = domain.value?.id ?? null;
  const slug = withoutPrefix(moved.slug, domain.value);
  const { firstSlug } = moved;
  if (firstSlug !== null && !(FIRST_SLUG.test(firstSlug) && checkOwnSlug(firstSlug, null).ok))
    return fault('first_slug', 'is none that a link is made with here; leave it empty');
  const own = slug === firstSlug ? ok(null) : checkOwnSlug(slug, domainId);
  if (!own.ok) return fault('slug', own.fault);
  const others = readOthers(moved, [firstSlug, slug], domainId);
  if (!others.ok) return others;
  const addresses: (string | null)[] = [];
  for (const field of ['destination', 'beforeDestination', 'afterDestination'] as const) {
    const written = moved[field];
    const checked = written === null ? ok(null) : checkDestination(written);
    if (!checked.ok) return fault(field.replace('D', '_d'), checked.fault);
    addresses.push(checked.value);
  }
  const [destination, beforeDestination, afterDestination] = addresses as [
    string,
    string | null,
    string | null,
  ];
  const guard = readGuard(moved);
  if (!guard.ok) return guard;
  const { ruleSet, password, ...guarded } = guard.value;
  const { passwordHash } = moved;
  if (passwordHash !== null && password !== null)
    return fault('password_hash', 'must be absent beside password: give one of them');
  if (passwordHash !== null && !isStoredPassword(passwordHash))
    return fault('password_hash', 'is no hash of an export with passwords=hashed; give the password itself');
  const times = { activeFrom: toDate(moved.activeFrom), activeUntil: toDate(moved.activeUntil) };
  const addressed = { destination, beforeDestination, afterDestination };
  const route = { ...addressed, ...times, ...guarded, ruleSetId: null, passwordHash };
  const slugs = { firstSlug, domainId, own: own.value, others: others.value };
  return ok({ row, moved, route, ruleSet, password, ...slugs });
};

type Slugs = Pick<Candidate, 'firstSlug' | 'domainId' | 'own' | 'others'>;

/** The slugs that were chosen. */
const chosenOf = ({ own, others }: Slugs): readonly OwnSlug[] => (own === null ? others : [own, ...others]);

/** All slugs that a row asks for. A link is found by its first one on the shared domain, too. */
export const slugsOf = (slugs: Slugs): readonly SlugAt[] => {
  const { firstSlug, domainId } = slugs;
  return [
    ...(firstSlug === null ? [] : [{ slug: firstSlug, domainId: null }]),
    ...(firstSlug === null || domainId === null ? [] : [{ slug: firstSlug, domainId }]),
    ...chosenOf(slugs).map(({ slug }) => ({ slug, domainId })),
  ];
};

/** What they look like, as far as that counts: on the shared domain. */
export const skeletonsOf = (slugs: Slugs): readonly string[] => [
  ...(slugs.firstSlug === null ? [] : [skeletonOf(slugs.firstSlug)]),
  ...chosenOf(slugs).flatMap(({ skeleton }) => skeleton ?? []),
];

/** Under what rows of a job are told apart: their slugs, and the looks of those that were chosen. */
export const keysOf = (slugs: Slugs): readonly string[] => [
  ...slugsOf(slugs).map(({ slug, domainId }) => `=${targetKey(slug, domainId)}`),
  ...skeletonsOf({ ...slugs, firstSlug: null }).map((skeleton) => `~${skeleton}`),
];
