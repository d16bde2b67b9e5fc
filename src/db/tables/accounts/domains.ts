/** Own domains of accounts. Those of other accounts are never found here, except by what the gateway serves and checks. */
import { type Asked, findAsked, findFirst, fromNow, type Sql } from '../../client.ts';
import { type Page, type PageRequest, toPage } from '../../cursor.ts';

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
  /** Whether new links of its account are there unless the call says otherwise. */
  readonly isDefault: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = (sql: Sql) => sql`
  id, account_id, host, prefix, place, token, verified_at, checked_at, fault, failing_since, lapsed_at, answers,
  created_at, updated_at,
  exists (select from accounts a where a.default_domain_id = domains.id) as is_default`;

type Row = Omit<Domain, 'answers'> & { readonly answers: Partial<DomainAnswers> };

const toDomain = (row: Row): Domain => ({ ...row, answers: { ...NO_ANSWERS, ...row.answers } });

const toFirst = async (query: PromiseLike<readonly Row[]>): Promise<Domain | null> => {
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
  { accountId, host, prefix, token, answers }: NewDomain,
): Promise<Domain | null> =>
  toFirst(tx<Row[]>`
    insert into domains (account_id, host, prefix, token, answers)
    values (${accountId}, ${host}, ${prefix}, ${token}, ${JSON.stringify(answers)}::text::jsonb)
    on conflict (account_id, host) do update set prefix = excluded.prefix, token = excluded.token,
      answers = excluded.answers, deleted_at = null, created_at = now(), updated_at = now()
    where domains.deleted_at is not null
    returning ${COLUMNS(tx)}`);

/** Replaces what a domain answers. */
export const saveAnswers = async (tx: Sql, id: string, answers: DomainAnswers): Promise<Domain> =>
  toDomain(
    (
      await tx<[Row]>`
        update domains set answers = ${JSON.stringify(answers)}::text::jsonb, updated_at = now() where id = ${id}
        returning ${COLUMNS(tx)}`
    )[0],
  );

/** Deletes a domain, which serves nothing from then on. Its row stays while links are printed with it. */
export const removeDomain = async (tx: Sql, id: string): Promise<void> => {
  await tx`delete from unknown_slugs where domain_id = ${id}`;
  if (!(await hasLinks(tx, id))) {
    await tx`delete from domains where id = ${id}`;
    return;
  }
  await tx`
    update domains set verified_at = null, failing_since = null, lapsed_at = null, checked_at = null, fault = null,
      next_check_at = null, leased_until = null, answers = '{}', deleted_at = now(), updated_at = now()
    where id = ${id}`;
};

/** The domain of another account that is proved for this host, or `null`. */
export const findHolder = (tx: Sql, { id, host }: Pick<Domain, 'id' | 'host'>): Promise<Domain | null> =>
  toFirst(tx<Row[]>`
    select ${COLUMNS(tx)} from domains where host = ${host} and verified_at is not null and id <> ${id} for update`);

/** A domain that was looked at. */
interface Looked {
  readonly id: string;
  /** Why its proof was not found; `null`: it was. */
  readonly fault: string | null;
  readonly nextCheckMs: number | null;
}

/** Notes that the proof of a domain was found, or why not. Returns the domain. */
export const noteProof = async (tx: Sql, { id, fault, nextCheckMs }: Looked): Promise<Domain> =>
  toDomain(
    (
      await tx<[Row]>`
        update domains set checked_at = now(), fault = ${fault}, leased_until = null,
          next_check_at = ${nextCheckMs === null ? null : fromNow(tx, nextCheckMs)},
          verified_at = ${fault === null ? tx`coalesce(verified_at, now())` : tx`verified_at`},
          failing_since = ${fault === null ? null : tx`case when verified_at is not null then coalesce(failing_since, now()) end`},
          lapsed_at = ${fault === null ? null : tx`lapsed_at`}, updated_at = now()
        where id = ${id} returning ${COLUMNS(tx)}`
    )[0],
  );

/** Ends the proof of a domain, which serves nothing from then on. */
export const lapseDomain = async (tx: Sql, id: string, fault: string): Promise<void> => {
  await tx`
    update domains set verified_at = null, failing_since = null, lapsed_at = now(), fault = ${fault},
      next_check_at = null, leased_until = null, updated_at = now()
    where id = ${id}`;
};

/** Leases at most `limit` proved domains whose proof is due to be looked for. */
export const takeDueDomains = async (
  sql: Sql,
  limit: number,
  leaseMs: number,
): Promise<readonly Domain[]> => {
  const rows = await sql<Row[]>`
    update domains set leased_until = ${fromNow(sql, leaseMs)}
    where id in (
      select id from domains
      where next_check_at <= now() and verified_at is not null and coalesce(leased_until, now()) <= now()
      order by next_check_at limit ${limit} for update skip locked
    )
    returning ${COLUMNS(sql)}`;
  return rows.map(toDomain);
};

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

/** Returns the default domain of the account; `null`: it has none. */
export const findDefaultDomain = (sql: Sql, accountId: string): Promise<LinkDomain | null> =>
  findFirst(sql<LinkDomain[]>`
    select ${LINK_DOMAIN(sql)} from domains
    where id = (select default_domain_id from accounts where id = ${accountId})`);

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
