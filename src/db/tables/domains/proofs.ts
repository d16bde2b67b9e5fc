/** The proofs of domains: which are due, what was found, and who loses a host. */
import { fromNow, type Sql } from '../../client.ts';
import { COLUMNS, type Domain, type Row, toDomain, toFirst } from './domains.ts';

/** Locks a host against others who prove it until the transaction ends. */
export const lockHost = async (tx: Sql, host: string): Promise<void> => {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`domain ${host}`}, 0))`;
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
