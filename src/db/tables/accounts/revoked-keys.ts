/** Revoked keys: an account can make and revoke keys without end, so only those that something names are kept for ever. */
import type postgres from 'postgres';
import { runPaced } from '../../statements.ts';

/** Revoked keys of an account that are kept whatever names them: the newest. */
const KEPT = 1000;
/** Younger ones are kept, because what they used may not be recorded yet. */
const KEPT_FOR = '1 hour';
/** Accounts that revoked none for so long have been looked at. */
const LOOKED_BACK = '1 day';
/** Keys examined per statement, and statements per account and run. Keys that were examined before come last. */
const STEP_KEYS = 500;
const ACCOUNT_STEPS = 20;
const MAX_STEPS = 200;

/** A place among the revoked keys of an account, the newest of which comes first. */
interface Place {
  readonly accountId: string;
  readonly revokedAt: Date;
  readonly id: string;
}

interface Step {
  readonly removed: number;
  readonly last: { readonly revokedAt: string; readonly id: string } | null;
}

/** Examines the revoked keys after a place. Usage of a key is not older than the key, nor younger than its revocation. */
const removeStep = (sql: postgres.Sql, { accountId, revokedAt, id }: Place): Promise<Step> =>
  sql.begin(async (tx) => {
    // Keys are made under the same lock, so none gets a maker that is removed meanwhile.
    await tx`select from accounts where id = ${accountId} for no key update`;
    const [step] = await tx<[Step]>`
      with makers as materialized (
        select unnest(makers) as id from api_keys where account_id = ${accountId} and revoked_at is null
      ), examined as materialized (
        select id, created_at, revoked_at from api_keys
        where account_id = ${accountId} and revoked_at is not null and (revoked_at, id) < (${revokedAt}, ${id})
        order by revoked_at desc, id desc limit ${STEP_KEYS}
      ), removed as (
        delete from api_keys where id in (
          select id from examined k
          where revoked_at < now() - ${KEPT_FOR}::interval
            and id not in (select id from makers)
            and not exists (select from dashboard_sessions where key_id = k.id)
            and not exists (select from batches where key_id = k.id)
            and not exists (select from link_jobs where key_id = k.id)
            and not exists (select from dead_link_history where key_id = k.id)
            and not exists (select from link_history where key_id = k.id)
            and not exists (select from resolver_history where key_id = k.id)
            and not exists (select from rule_set_history where key_id = k.id)
            and not exists (select from links where key_id = k.id)
            and not exists (
              select from usage_hours where account_id = ${accountId} and key_id = k.id
                and hour between k.created_at - interval '1 day' and k.revoked_at + interval '1 day')
            and not exists (
              select from usage_days where account_id = ${accountId} and key_id = k.id
                and day between k.created_at::date - 2 and k.revoked_at::date + 2)
        ) returning id
      )
      select (select count(*)::int from removed) as removed, (
        select json_build_object('revokedAt', revoked_at, 'id', id) from examined
        order by revoked_at, id limit 1) as last`;
    return step;
  });

/**
 * Deletes revoked keys beyond the newest of an account that nothing names any more: no usage that is kept, no link or
 * history, no batch or link job, and no key that they made and that is not revoked. In bounded steps, for accounts that have revoked
 * a key lately, since no other has more than before.
 *
 * @param kept Of each account.
 * @returns How many were deleted, and whether no more are to be expected.
 */
export const removeRevokedKeys = async (
  sql: postgres.Sql,
  kept = KEPT,
): Promise<{ readonly removed: number; readonly isComplete: boolean }> => {
  const places = await sql<Place[]>`
    select a.account_id, k.revoked_at, k.id
    from (
      select distinct account_id from api_keys where revoked_at >= now() - ${LOOKED_BACK}::interval
    ) as a cross join lateral (
      select revoked_at, id from api_keys where account_id = a.account_id and revoked_at is not null
      order by revoked_at desc, id desc offset ${kept - 1} limit 1
    ) as k
    -- So that no account is always the one for which no step is left.
    order by random()`;
  let removed = 0;
  let isComplete = true;
  let stepsLeft = MAX_STEPS;
  for (const first of places) {
    let place: Place | null = first;
    let ofAccount = 0;
    for (let steps = 0; place !== null && steps < ACCOUNT_STEPS; steps += 1) {
      if (stepsLeft === 0) return { removed, isComplete: false };
      stepsLeft -= 1;
      const from: Place = place;
      const { removed: gone, last }: Step = await runPaced(() => removeStep(sql, from));
      ofAccount += gone;
      place = last && { accountId: first.accountId, id: last.id, revokedAt: new Date(last.revokedAt) };
    }
    removed += ofAccount;
    if (place !== null && ofAccount > 0) isComplete = false;
  }
  return { removed, isComplete };
};
