/** Own domains of accounts, from their account's point of view. Those of other accounts are never found here. */
import { findFirst, type Sql } from '../../client.ts';
import { type Page, type PageRequest, toPage } from '../../cursor.ts';
import type { Forward } from '../links.ts';

/** A text that a domain answers at a path, with its media type. */
export interface DomainText {
  readonly type: 'text/plain' | 'application/json';
  readonly text: string;
}

/** What a domain answers besides short links; `null`: what the service answers. */
export interface DomainAnswers {
  /** Where `/` leads. */
  readonly rootUrl: string | null;
  /** Where `/favicon.ico` leads. */
  readonly faviconUrl: string | null;
  readonly robots: string | null;
  /** JSON, as it was sent. */
  readonly assetlinks: string | null;
  readonly appleAppSiteAssociation: string | null;
  /** Where unknown slugs lead, or the text for them. */
  readonly unknownUrl: string | null;
  readonly unknownText: DomainText | null;
  /** The former address of the links: unknown slugs lead to it, with slug and query behind. It comes before the two above. */
  readonly fallbackUrl: string | null;
}

export const NO_ANSWERS: DomainAnswers = {
  rootUrl: null,
  faviconUrl: null,
  robots: null,
  assetlinks: null,
  appleAppSiteAssociation: null,
  unknownUrl: null,
  unknownText: null,
  fallbackUrl: null,
};

/** A host of an account. */
export interface Domain {
  readonly id: string;
  readonly accountId: string;
  readonly host: string;
  readonly prefix: string;
  readonly place: string;
  readonly token: string;
  readonly verifiedAt: Date | null;
  readonly checkedAt: Date | null;
  readonly fault: string | null;
  readonly failingSince: Date | null;
  readonly lapsedAt: Date | null;
  readonly answers: DomainAnswers;
  /** What its links pass on that say nothing themselves; `null`: what the account says. */
  readonly forward: Forward | null;
  /** Whether new links of its account are there unless the call says otherwise. */
  readonly isDefault: boolean;
  /** For slugs that it does not know. */
  readonly unknownRequests: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The columns of a domain. */
export const COLUMNS = (sql: Sql) => sql`
  id, account_id, host, prefix, place, token, verified_at, checked_at, fault, failing_since, lapsed_at, answers, forward,
  unknown_requests, created_at, updated_at,
  exists (select from accounts a where a.default_domain_id = domains.id) as is_default`;

export type Row = Omit<Domain, 'answers'> & { readonly answers: Partial<DomainAnswers> };

export const toDomain = (row: Row): Domain => ({ ...row, answers: { ...NO_ANSWERS, ...row.answers } });

export const toFirst = async (query: PromiseLike<readonly Row[]>): Promise<Domain | null> => {
  const row = await findFirst(query);
  return row && toDomain(row);
};

/** Returns the account's domain by its host, or `null`. */
export const getDomain = (sql: Sql, accountId: string, host: string): Promise<Domain | null> =>
  toFirst(sql<Row[]>`
    select ${COLUMNS(sql)} from domains where account_id = ${accountId} and host = ${host} and deleted_at is null`);

/** Does the same, and locks it until the transaction ends. */
export const lockDomain = (tx: Sql, accountId: string, host: string): Promise<Domain | null> =>
  toFirst(tx<Row[]>`
    select ${COLUMNS(tx)} from domains where account_id = ${accountId} and host = ${host} and deleted_at is null
    for update`);

/** Returns a page of the account's domains, oldest first. */
export const listDomains = async (
  sql: Sql,
  accountId: string,
  { after, limit }: PageRequest,
): Promise<Page<Domain>> => {
  const rows = await sql<Row[]>`
    select ${COLUMNS(sql)} from domains
    where account_id = ${accountId} and deleted_at is null
      ${after === null ? sql`` : sql`and (created_at, id) > (${after.createdAt}, ${after.id})`}
    order by created_at, id limit ${limit + 1}`;
  return toPage(rows.map(toDomain), limit);
};

/** Returns the number of the account's domains. */
export const countDomains = async (sql: Sql, accountId: string): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*) from domains where account_id = ${accountId} and deleted_at is null`;
  return row.count;
};

/** Whether codes have links at the domain; they are printed. */
export const hasLinks = async (sql: Sql, domainId: string): Promise<boolean> => {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from links where domain_id = ${domainId}) as found`;
  return row.found;
};

/** A domain that an account registers. */
export interface NewDomain {
  readonly accountId: string;
  readonly host: string;
  readonly prefix: string;
  readonly token: string;
  readonly answers: DomainAnswers;
  readonly forward: Forward | null;
}

/** Returns the prefix of a domain that the account had and deleted while links were printed with it, or `null`. */
export const printedPrefix = async (sql: Sql, accountId: string, host: string): Promise<string | null> => {
  const row = await findFirst(sql<{ prefix: string }[]>`
    select prefix from domains d where account_id = ${accountId} and host = ${host}
      and exists (select from links where domain_id = d.id)`);
  return row?.prefix ?? null;
};

/** Registers a domain, which must be proved; `null`: the account has it already. One that was deleted comes back. */
export const insertDomain = (
  tx: Sql,
  { accountId, host, prefix, token, answers, forward }: NewDomain,
): Promise<Domain | null> =>
  toFirst(tx<Row[]>`
    insert into domains (account_id, host, prefix, token, answers, forward)
    values (${accountId}, ${host}, ${prefix}, ${token}, ${JSON.stringify(answers)}::text::jsonb,
      ${forward && JSON.stringify(forward)}::text::jsonb)
    on conflict (account_id, host) do update set prefix = excluded.prefix, token = excluded.token,
      answers = excluded.answers, forward = excluded.forward, deleted_at = null, created_at = now(), updated_at = now()
    where domains.deleted_at is not null
    returning ${COLUMNS(tx)}`);

/** Replaces what a domain answers, and what its links pass on. */
export const saveSettings = async (
  tx: Sql,
  id: string,
  { answers, forward }: Pick<Domain, 'answers' | 'forward'>,
): Promise<Domain> =>
  toDomain(
    (
      await tx<[Row]>`
        update domains set answers = ${JSON.stringify(answers)}::text::jsonb,
          forward = ${forward && JSON.stringify(forward)}::text::jsonb, updated_at = now()
        where id = ${id} returning ${COLUMNS(tx)}`
    )[0],
  );

/** Deletes a domain, which serves nothing from then on; folders and presets name none any more. Its row stays while links are printed with it. */
export const removeDomain = async (tx: Sql, id: string): Promise<void> => {
  await tx`delete from unknown_slugs where domain_id = ${id}`;
  await tx`update folders set domain_id = null where domain_id = ${id}`;
  await tx`update presets set domain_id = null where domain_id = ${id}`;
  if (!(await hasLinks(tx, id))) {
    await tx`delete from domains where id = ${id}`;
    return;
  }
  await tx`
    update domains set verified_at = null, failing_since = null, lapsed_at = null, checked_at = null, fault = null,
      next_check_at = null, leased_until = null, answers = '{}', forward = null, unknown_requests = 0,
      deleted_at = now(), updated_at = now()
    where id = ${id}`;
};
