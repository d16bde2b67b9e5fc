-- The quota ledger with Redis. Redis holds the counters in 64 shards of accounts, each with a stream of events. With
-- these functions the tables of 0002_quota.sql follow the streams.

-- Locks the shard until the transaction ends, so that nobody else drains or seeds it. Waits while another holds it.
create function quota_lock_shard(p_shard integer) returns void language sql volatile as $$
  select pg_advisory_xact_lock(7355609, p_shard);
$$;

-- Locks those of the shards that nobody else holds, until the transaction ends. Returns them. Never waits.
create function quota_try_shards(p_shards integer[]) returns integer[] language sql volatile as $$
  select coalesce(array_agg(shard), '{}') from unnest(p_shards) shard where pg_try_advisory_xact_lock(7355609, shard);
$$;

-- Applies events of shards that the caller has locked, in their order: records those that are new, and adds their sum to
-- the balances. Returns the accounts whose counters in Redis differ from their balance here, with the epoch of the
-- counters. In that case one side has lost something: the balance here counts, and the caller seeds the account again.
--
-- The events of a shard come in order and in one transaction at a time, so no sum is negative. There is one exception:
-- Redis lost events that are recorded here, and gave the same units out twice. A correction forgives the difference.
--
-- An event has an answer and an expiry only when its reservation stays open. It has an epoch and the state after it
-- only when it is the last event of its account. A window function finds the reservations that these same events
-- close; a join of the events with themselves would take quadratic time, because the planner expects one event.
create function quota_drain(p_events jsonb) returns jsonb language plpgsql volatile as $$
declare
  diverged jsonb := '[]';
  s record;
  b quota_balances;
  too_many_monthly bigint;
  too_many_credits bigint;
begin
  for s in
    with event as materialized (
      select distinct on (id, kind) * from jsonb_to_recordset(p_events) as x (
        n integer, kind text, id uuid, account uuid, epoch text, period date, monthly bigint,
        credits bigint, "expiresMs" bigint, answer jsonb, "after" jsonb
      ) order by id, kind, n
    ), recorded as (
      insert into quota_events (reservation_id, kind, account_id, period, monthly, credits)
      select id, kind, account, period, monthly, credits from event order by n
      on conflict do nothing returning reservation_id, kind
    ), fresh as materialized (
      select event.*, max(period) over (partition by account) as last_period,
        bool_or(event.kind = 'settle') over (partition by id) as is_closed
      from event join recorded on recorded.reservation_id = event.id and recorded.kind = event.kind
    ), opened as (
      insert into quota_reservations (id, account_id, period, from_monthly, from_credits, expires_at, answer)
      select id, account, period, monthly, -credits, to_timestamp("expiresMs" / 1000.0), answer from fresh
      where kind = 'reserve' and answer is not null and not is_closed
      on conflict do nothing
    ), closed as (
      delete from quota_reservations r using fresh where fresh.kind = 'settle' and r.id = fresh.id
    ), granted as (
      update credit_grants g set applied_at = clock_timestamp() from fresh where fresh.kind = 'grant' and g.id = fresh.id
    ), last_told as (
      select distinct on (account) account, kind, id, epoch, "after" from event where "after" is not null
      order by account, n desc
    )
    select f.account, f.last_period,
      sum(f.monthly) filter (where f.period = f.last_period) as monthly,
      coalesce(-sum(f.credits) filter (where f.period = f.last_period and f.kind <> 'grant'), 0) as credits_used,
      sum(f.credits) as credits,
      l.epoch, l."after", bool_or(f.id = l.id and f.kind = l.kind) as checkable
    from fresh f left join last_told l on l.account = f.account
    group by f.account, f.last_period, l.epoch, l."after" order by f.account
  loop
    select * into b from quota_balances where account_id = s.account for update;
    continue when not found;
    if s.last_period > b.period then
      b.period := s.last_period;
      b.monthly_used := 0;
      b.credits_used := 0;
    end if;
    if s.last_period = b.period then
      b.monthly_used := b.monthly_used + s.monthly;
      b.credits_used := greatest(b.credits_used + s.credits_used, 0);
    end if;
    b.credits := b.credits + s.credits;

    too_many_monthly := greatest(-b.monthly_used, 0);
    too_many_credits := greatest(-b.credits, 0);
    b.monthly_used := b.monthly_used + too_many_monthly;
    b.credits := b.credits + too_many_credits;
    perform quota_save(b);
    if s.checkable and s."after" <> jsonb_build_array(b.period, b.monthly_used, b.credits_used, b.credits) then
      diverged := diverged || jsonb_build_object('accountId', s.account, 'epoch', s.epoch);
      insert into quota_events (reservation_id, kind, account_id, period, monthly, credits, note)
      values (gen_random_uuid(), 'correction', s.account, b.period, too_many_monthly, too_many_credits,
        'Redis held ' || s."after"::text);
    elsif too_many_monthly + too_many_credits > 0 then
      insert into quota_events (reservation_id, kind, account_id, period, monthly, credits, note)
      values (gen_random_uuid(), 'correction', s.account, b.period, too_many_monthly, too_many_credits,
        'given out twice');
    end if;
  end loop;
  return diverged;
end $$;

-- Returns what an account is seeded with: its balance, limit and open reservations; null when there is no such
-- account. The caller has locked the shard and drained it. The limit cannot change until the transaction ends.
create function quota_seed(p_account uuid) returns jsonb language plpgsql volatile as $$
declare
  a record;
  b quota_balances;
begin
  select coalesce(accounts.monthly_quota::text, accounts.plan) as "limit" into a
  from accounts where id = p_account for share;
  if not found then return null; end if;
  perform quota_lock(p_account);
  select * into strict b from quota_balances where account_id = p_account;
  return jsonb_build_object(
    'endsMs', (extract(epoch from (b.period + interval '1 month') at time zone 'UTC') * 1000)::bigint,
    'monthlyUsed', b.monthly_used,
    'creditsUsed', b.credits_used,
    'credits', b.credits,
    'limit', a."limit",
    'limitVersion', coalesce((select version from quota_limit_changes where account_id = p_account), 0),
    'open', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', id, 'expiresMs', (extract(epoch from expires_at) * 1000)::bigint, 'answer', answer
      )) from quota_reservations where account_id = p_account and state = 'open'
    ), '[]')
  );
end $$;

-- Returns what Redis may have missed: changes of limits, bought credits, and reservations that are open here although
-- their time was over p_overdue_ms ago. At most p_max of each.
create function quota_waiting(p_max integer, p_overdue_ms bigint) returns jsonb language sql volatile as $$
  select jsonb_build_object(
    'limits', coalesce((select jsonb_agg(account_id) from (
      select account_id from quota_limit_changes where not applied limit p_max) x), '[]'),
    'granted', coalesce((select jsonb_agg(distinct account_id) from (
      select account_id from credit_grants where applied_at is null order by created_at limit p_max) x), '[]'),
    'overdue', coalesce((select jsonb_agg(jsonb_build_object('id', id, 'accountId', account_id)) from (
      select id, account_id from quota_reservations
      where state = 'open' and expires_at <= clock_timestamp() - p_overdue_ms * interval '1 millisecond'
      order by expires_at limit p_max) x), '[]')
  );
$$;
