-- The quota ledger with Redis. Redis holds the counters in shards of accounts, each with a stream of sums. With these
-- functions the tables of 0002_quota.sql follow the streams.

-- How far each stream was applied. The position is the id of its last entry that is part of the balances, in the two
-- numbers of which Redis makes ids. Whoever has locked the row drains the shard and seeds its accounts.
create table quota_streams (
  shard integer primary key check (shard between 0 and 63),
  ms bigint not null default 0,
  seq bigint not null default 0
) with (fillfactor = 20);

insert into quota_streams (shard) select generate_series(0, 63);

-- Applies the sums of entries that come after the positions of their streams, whose rows the caller has locked, and moves
-- the positions.
--
--   p_positions  shard, ms, seq: the last entry of each stream that is applied now
--   p_accounts   account, period: the last month in which something changed; monthly, creditsUsed, credits, openMonthly,
--                openCredits: the changes of the balance, all but those of the credits in that month; epoch, and after: the
--                epoch and [period, monthly used, credits used, credits left] after the last entry, if it had any
--   p_usage      the change of each row of usage_hours
--   p_moved      what else became part of the balance: grants, holds and returns
--
-- Returns the accounts whose counters in Redis differ from their balance here, with the epoch of the counters. One side has
-- lost something: the balance here counts, and the caller seeds the account again. No sum is negative, unless Redis lost
-- entries that are applied here, and gave the same units out twice. A correction forgives the difference; what was given
-- back twice is counted as used twice.
create function quota_drain(p_positions jsonb, p_accounts jsonb, p_usage jsonb, p_moved jsonb)
returns jsonb language plpgsql volatile as $$
declare
  diverged jsonb := '[]';
  s record;
begin
  update quota_streams q set ms = p.ms, seq = p.seq
  from jsonb_to_recordset(p_positions) as p (shard integer, ms bigint, seq bigint) where q.shard = p.shard;

  insert into usage_hours as u (account_id, hour, key_id, kind, calls, monthly, credits,
    refunded_monthly, refunded_credits, refunded_late)
  select x.account, to_timestamp(x."hourMs" / 1000), x.key, x.kind, x.calls, x.monthly, x.credits,
    x."refundedMonthly", x."refundedCredits", x."refundedLate"
  from jsonb_to_recordset(p_usage) as x (
    account uuid, "hourMs" bigint, key uuid, kind text, calls bigint, monthly bigint, credits bigint,
    "refundedMonthly" bigint, "refundedCredits" bigint, "refundedLate" bigint
  ) where exists (select from quota_balances b where b.account_id = x.account)
  on conflict (account_id, hour, key_id, kind) do update set
    calls = u.calls + excluded.calls, monthly = u.monthly + excluded.monthly,
    credits = u.credits + excluded.credits, refunded_monthly = u.refunded_monthly + excluded.refunded_monthly,
    refunded_credits = u.refunded_credits + excluded.refunded_credits,
    refunded_late = u.refunded_late + excluded.refunded_late;

  if p_moved <> '[]' then perform quota_note_moved(p_moved); end if;

  for s in
    with change as materialized (
      select x.account, x.epoch, x."after", greatest(b.period, x.period) as period,
        case when x.period = b.period then b.monthly_used else 0 end + x.monthly as monthly_used,
        case when x.period = b.period then b.credits_used else 0 end + x."creditsUsed" as credits_used,
        b.credits + x.credits as credits,
        case when x.period = b.period then b.open_monthly else 0 end + x."openMonthly" as open_monthly,
        b.open_credits + x."openCredits" as open_credits, x.period < b.period as is_old
      from jsonb_to_recordset(p_accounts) as x (
        account uuid, period date, monthly bigint, "creditsUsed" bigint, credits bigint, "openMonthly" bigint,
        "openCredits" bigint, epoch text, "after" jsonb
      ) join quota_balances b on b.account_id = x.account
    ), changed as (
      update quota_balances b set period = c.period,
        monthly_used = case when c.is_old then b.monthly_used else greatest(c.monthly_used, 0) end,
        credits_used = case when c.is_old then b.credits_used else greatest(c.credits_used, 0) end,
        credits = greatest(c.credits, 0),
        open_monthly = case when c.is_old then b.open_monthly else greatest(c.open_monthly, 0) end,
        open_credits = greatest(c.open_credits, 0)
      from change c where b.account_id = c.account
    )
    select * from change c where c."after" <> 'null' and (c.is_old
      or c."after" <> jsonb_build_array(c.period, c.monthly_used, c.credits_used, c.credits))
  loop
    diverged := diverged || jsonb_build_object('accountId', s.account, 'epoch', s.epoch);
    continue when s.is_old;
    if least(s.monthly_used, s.credits_used) < 0 then
      perform quota_count(row (s.account, s.period, 0, 0, 0, 0, 0)::quota_balances, split_part(used.most, ':', 2)::uuid,
        split_part(used.most, ':', 1), 0, greatest(-s.monthly_used, 0), greatest(-s.credits_used, 0), 0, 0, 0)
      from quota_most_used(s.account, s.period) as used (most);
    end if;
    insert into quota_corrections (account_id, credits, note)
    values (s.account, greatest(-s.credits, 0) + greatest(-s.credits_used, 0), 'Redis held ' || s."after"::text);
  end loop;
  return diverged;
end $$;

-- Notes what became part of balances beyond the usage.
create function quota_note_moved(p_moved jsonb) returns void language sql volatile as $$
  update credit_grants g set applied_at = clock_timestamp()
  from jsonb_to_recordset(p_moved) as x (what text, id uuid) where x.what = 'grant' and g.id = x.id;
  update quota_holds h set applied_at = clock_timestamp()
  from jsonb_to_recordset(p_moved) as x (what text, id uuid) where x.what = 'return' and h.id = x.id;
  insert into quota_holds (id, account_id, key_id, period, from_monthly, from_credits)
  select x.id, x.account, x.key, x.period, x.monthly, x.credits
  from jsonb_to_recordset(p_moved) as x (
    what text, id uuid, account uuid, key uuid, period date, monthly bigint, credits bigint
  ) join quota_balances b on b.account_id = x.account where x.what = 'hold'
  on conflict do nothing;
$$;

-- Returns the use, as kind:key, of which an account has used most in a month. Units of which Redis has lost the use count
-- as units of that one.
create function quota_most_used(p_account uuid, p_period date) returns text language sql stable as $$
  select coalesce((
    select kind || ':' || key_id from usage_hours
    where account_id = p_account and hour >= p_period::timestamp at time zone 'UTC' and kind !~ '^batch'
    group by kind, key_id order by sum(monthly + credits - refunded_monthly - refunded_credits) desc limit 1
  ), 'single:00000000-0000-0000-0000-000000000000');
$$;

-- Returns a use as the scripts have it: the kind of call, its API key, and the makers of that.
create function quota_use(p_kind text, p_key uuid) returns text language sql stable as $$
  select p_kind || ':' || array_to_string(p_key || (select makers from api_keys where id = p_key), ',');
$$;

-- Returns what an account is seeded with: its balance, its limit, and what is open of it; null when there is no such
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
    'period', b.period,
    'endsMs', (extract(epoch from (b.period + interval '1 month') at time zone 'UTC') * 1000)::bigint,
    'monthlyUsed', b.monthly_used,
    'creditsUsed', b.credits_used,
    'credits', b.credits,
    'openMonthly', b.open_monthly,
    'openCredits', b.open_credits,
    'openUse', case when b.open_monthly + b.open_credits > 0 then (
      select quota_use(split_part(most, ':', 1), split_part(most, ':', 2)::uuid)
      from quota_most_used(p_account, b.period) as most) else '' end,
    'keys', (select coalesce(jsonb_agg(jsonb_build_array(key_id, used)), '[]')
      from quota_used_by_keys(p_account, b.period) where used <> 0),
    'limit', a."limit",
    'limitVersion', coalesce((select version from quota_limit_changes where account_id = p_account), 0)
  );
end $$;

-- Returns what Redis may have missed: accounts whose limit changed, and accounts for which bought credits or the rest of a
-- hold wait. At most p_max of each.
create function quota_waiting(p_max integer) returns jsonb language sql volatile as $$
  select jsonb_build_object(
    'limits', coalesce((select jsonb_agg(account_id) from (
      select account_id from quota_limit_changes where not applied limit p_max) x), '[]'),
    'units', coalesce((select jsonb_agg(distinct account_id) from (
      (select account_id from credit_grants where applied_at is null order by created_at limit p_max)
      union
      (select account_id from quota_holds where released_at is not null and applied_at is null
        order by released_at limit p_max)) x), '[]')
  );
$$;
