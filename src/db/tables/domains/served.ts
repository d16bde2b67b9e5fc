/** Domains as links are made and visited at them. */
import { type Asked, findAsked, findFirst, type Sql } from '../../client.ts';
import { type DomainAnswers, NO_ANSWERS } from './domains.ts';

/** A domain at which links are made. */
export interface LinkDomain {
  readonly id: string;
  readonly host: string;
  /** What short URLs begin with after `https://`. */
  readonly place: string;
  readonly isVerified: boolean;
}

const LINK_DOMAIN = (sql: Sql) => sql`id, host, place, verified_at is not null as is_verified`;

/** Returns the account's domain by its host, or `null`. */
export const findLinkDomain = (sql: Sql, accountId: string, host: string): Promise<LinkDomain | null> =>
  findFirst(sql<LinkDomain[]>`
    select ${LINK_DOMAIN(sql)} from domains
    where account_id = ${accountId} and host = ${host} and deleted_at is null`);

/** Returns the domain of the account's folder, by its id or its name, or else of the account; `null`: neither has one. */
export const findUsualDomain = (
  sql: Sql,
  accountId: string,
  folder: { readonly id: string } | { readonly name: string },
): Promise<LinkDomain | null> =>
  findFirst(sql<LinkDomain[]>`
    select ${LINK_DOMAIN(sql)} from domains
    where id = coalesce(
      (select domain_id from folders where account_id = ${accountId} and deleted_at is null
        and ${'id' in folder ? sql`id = ${folder.id}` : sql`name = ${folder.name}`}),
      (select default_domain_id from accounts where id = ${accountId}))`);

/** The host of the domain that rows of a table name as `domain_id`; null: none. */
export const domainHost = (sql: Sql, rows: 'folders' | 'presets') =>
  sql`(select host from domains d where d.id = ${sql(rows)}.domain_id) as domain`;

/** Makes a domain the default of its account, or no longer. */
export const setDefaultDomain = async (tx: Sql, accountId: string, id: string | null): Promise<void> => {
  await tx`update accounts set default_domain_id = ${id} where id = ${accountId}`;
};

/** A host that is served. */
export interface ServedDomain {
  readonly id: string;
  readonly accountId: string;
  readonly host: string;
  readonly prefix: string;
}

/** Returns all hosts that are served. */
export const listServed = (sql: Sql): Promise<readonly ServedDomain[]> => sql<ServedDomain[]>`
  select id, account_id, host, prefix from domains where verified_at is not null`;

/** Returns the domain that is served at a host, or `null`. */
export const findServed = (sql: Sql, host: string): Promise<ServedDomain | null> =>
  findAsked<ServedDomain>(
    host,
    sql<(ServedDomain & Asked)[]>`
    select host as asked, id, account_id, host, prefix from domains where host = ${host} and verified_at is not null`,
  );

/** Returns what a domain answers; `null`: it is not served. */
export const findAnswers = async (sql: Sql, id: string): Promise<DomainAnswers | null> => {
  const row = await findAsked<{ answers: Partial<DomainAnswers> }>(
    id,
    sql<({ answers: Partial<DomainAnswers> } & Asked)[]>`
    select id::text as asked, answers from domains where id = ${id} and verified_at is not null`,
  );
  return row && { ...NO_ANSWERS, ...row.answers };
};
