-- The quota ledger. Each account has a balance, each reservation a row until it is purged, and each change an event,
-- which is never altered. A balance is the sum of its events.
--
-- Without Redis the functions below are the ledger. Each is called as one statement, and the row of quota_balances is
-- the lock of its account. With Redis the balances, the open reservations and the events here follow its event streams
-- (0003_quota_redis.sql), and Redis holds the claims. The only clock is the database's.

create table quota_balances (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- The first day of the calendar month (UTC) to which the counts belong. It only moves forward.
  period date not null check (extract(day from period) = 1),
  monthly_used bigint not null default 0 check (monthly_used >= 0),
  -- Credits spent in this period. Together with monthly_used they are the usage count.
  credits_used bigint not null default 0 check (credits_used >= 0),
  -- Credits left. The bound keeps numbers exact in a double, with which Redis and JavaScript count.
  credits bigint not null default 0 check (credits between 0 and 9007199254740991)
);

create table quota_reservations (
  id uuid primary key,
  account_id uuid not null,
  period date not null,
  from_monthly bigint not null check (from_monthly >= 0),
  from_credits bigint not null check (from_credits >= 0),
  refunded_monthly bigint not null default 0 check (refunded_monthly between 0 and from_monthly),
  refunded_credits bigint not null default 0 check (refunded_credits between 0 and from_credits),
  state text not null default 'open' check (state in ('open', 'settled', 'expired')),
  expires_at timestamptz not null,
  -- What reserve answered, to be returned when the same id comes again.
  answer jsonb not null,
  claim_route text,
  claim_key text,
  check (from_monthly + from_credits > 0)
);

create index quota_reservations_open on quota_reservations (expires_at) where state = 'open';
create index quota_reservations_closed on quota_reservations (expires_at) where state <> 'open';

create table quota_events (
  -- For an event of kind grant: the id of the grant.
  reservation_id uuid not null,
  kind text not null check (kind in ('reserve', 'settle', 'grant', 'correction')),
  account_id uuid not null,
  period date not null,
  -- The changes of monthly_used and of credits. A monthly unit of a past month does not go back.
  monthly bigint not null,
  credits bigint not null,
  -- For a correction: what was wrong.
  note text,
  at timestamptz not null default clock_timestamp(),
  -- A reservation is taken once and closed once, even if an event is delivered again.
  unique (reservation_id, kind)
);

-- What accounts used, by API key, kind of call and hour. A call that gave units back counts in the hour in which it took
-- them; the units given back count in the hour in which they went back. Days replace hours that are 90 days old.
create table usage_hours (
  account_id uuid not null references accounts (id) on delete cascade,
  -- The beginning of the hour.
  hour timestamptz not null check (date_trunc('hour', hour, 'UTC') = hour),
  key_id uuid not null,
  kind text not null check (kind in ('single', 'bulk', 'image', 'batch')),
  calls bigint not null default 0 check (calls >= 0),
  -- Units taken from the monthly quota and from the credits.
  monthly bigint not null default 0 check (monthly >= 0),
  credits bigint not null default 0 check (credits >= 0),
  -- Units given back. Credits that were taken in an earlier month are apart, because they do not change the count of
  -- units that were used in this month.
  refunded_monthly bigint not null default 0 check (refunded_monthly >= 0),
  refunded_credits bigint not null default 0 check (refunded_credits >= 0),
  refunded_late bigint not null default 0 check (refunded_late >= 0),
  primary key (account_id, hour, key_id, kind)
-- Rows of the present hour are updated many times a second; room in their pages keeps the new versions there.
) with (fillfactor = 50);

create table usage_days (
  account_id uuid not null references accounts (id) on delete cascade,
  day date not null,
  key_id uuid not null,
  kind text not null check (kind in ('single', 'bulk', 'image', 'batch')),
  calls bigint not null,
  monthly bigint not null,
  credits bigint not null,
  refunded_monthly bigint not null,
  refunded_credits bigint not null,
  refunded_late bigint not null,
  primary key (account_id, day, key_id, kind)
);

create table credit_grants (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  amount bigint not null check (amount > 0),
  reference text,
  created_at timestamptz not null default now(),
  -- Null: the credits are bought and not yet part of the balance.
  applied_at timestamptz,
  unique (account_id, reference)
);

create index credit_grants_waiting on credit_grants (created_at) where applied_at is null;

-- Claims of Idempotency-Keys. A claim without an answer lives as long as the reservation of its first request.
create table idempotency (
  account_id uuid not null,
  route text not null,
  key text not null,
  body_hash text not null,
  reservation_id uuid not null,
  answer text,
  expires_at timestamptz not null,
  primary key (account_id, route, key)
);

create index idempotency_expires_at on idempotency (expires_at);

-- With Redis, claims are kept there, and answers that are too long for Redis are kept here.
create table long_answers (
  reservation_id uuid primary key,
  answer text not null,
  expires_at timestamptz not null
);

create index long_answers_expires_at on long_answers (expires_at);

-- The latest change of an account's plan or monthly quota, until Redis knows it.
create table quota_limit_changes (
  account_id uuid primary key references accounts (id) on delete cascade,
  version bigint generated always as identity,
  applied boolean not null default false
);

create index quota_limit_changes_waiting on quota_limit_changes (account_id) where not applied;

create function quota_note_limit_change() returns trigger language plpgsql as $$
begin
  delete from quota_limit_changes where account_id = new.id;
  insert into quota_limit_changes (account_id) values (new.id);
  return null;
end $$;

create trigger accounts_limit_change after update of plan, monthly_quota on accounts
for each row when (old.plan <> new.plan or old.monthly_quota is distinct from new.monthly_quota)
execute function quota_note_limit_change();

-- The first day of the present month in UTC.
create function quota_month() returns date language sql volatile as $$
  select date_trunc('month', clock_timestamp() at time zone 'UTC')::date;
$$;

-- The balance as of now: the counts of a past month become 0. A clock that steps back changes nothing.
create function quota_rolled(b quota_balances) returns quota_balances language plpgsql volatile as $$
begin
  if quota_month() > b.period then
    b.period := quota_month();
    b.monthly_used := 0;
    b.credits_used := 0;
  end if;
  return b;
end $$;

-- Locks the balance of an account and returns it as of now. Inserts it when it is missing. Fails with
-- foreign_key_violation when there is no such account.
create function quota_lock(p_account uuid) returns quota_balances language plpgsql volatile as $$
declare
  b quota_balances;
begin
  select * into b from quota_balances where account_id = p_account for update;
  if not found then
    insert into quota_balances (account_id, period) values (p_account, quota_month()) on conflict do nothing;
    select * into strict b from quota_balances where account_id = p_account for update;
  end if;
  return quota_rolled(b);
end $$;

-- Writes a balance whose row the caller has locked.
create function quota_save(b quota_balances) returns void language sql volatile as $$
  update quota_balances
  set period = b.period, monthly_used = b.monthly_used, credits_used = b.credits_used, credits = b.credits
  where account_id = b.account_id;
$$;

-- The account's own monthly quota, or else that of its plan.
create function quota_monthly(p_account uuid, p_free bigint, p_pro bigint) returns bigint language sql stable as $$
  select coalesce(monthly_quota, case plan when 'pro' then p_pro else p_free end)
  from accounts where id = p_account;
$$;

-- The balance as `Balance` of src/quota/quota.ts.
create function quota_view(b quota_balances, p_monthly bigint) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'period', to_char(b.period, 'YYYY-MM-DD'),
    'resetsAtMs', (extract(epoch from (b.period + interval '1 month') at time zone 'UTC') * 1000)::bigint,
    'monthlyQuota', p_monthly,
    'monthlyUsed', b.monthly_used,
    'credits', b.credits,
    'usageCount', b.monthly_used + b.credits_used,
    'remaining', greatest(p_monthly - b.monthly_used, 0) + b.credits
  );
$$;

-- Takes all of p_units or nothing, first from the monthly quota, then from the credits, and claims the Idempotency-Key
-- when there is one. Returns `Reserved`. The lock of the account also guards its claims.
create function quota_reserve(
  p_id uuid, p_account uuid, p_units bigint, p_ttl_ms bigint, p_free bigint, p_pro bigint,
  p_route text, p_key text, p_body_hash text
) returns jsonb language plpgsql volatile as $$
declare
  b quota_balances := quota_lock(p_account);
  monthly bigint := quota_monthly(p_account, p_free, p_pro);
  expires timestamptz := clock_timestamp() + p_ttl_ms * interval '1 millisecond';
  before_this jsonb;
  claim idempotency;
  from_monthly bigint;
  from_credits bigint;
  admitted jsonb;
begin
  select r.answer into before_this from quota_reservations r where r.id = p_id and r.account_id = p_account;
  if found then return before_this; end if;

  select * into claim from idempotency i
  where i.account_id = p_account and i.route = p_route and i.key = p_key and i.expires_at > clock_timestamp();
  if found then
    if claim.body_hash <> p_body_hash then return jsonb_build_object('outcome', 'mismatch'); end if;
    if claim.answer is null then return jsonb_build_object('outcome', 'running'); end if;
    return jsonb_build_object('outcome', 'replay', 'answer', claim.answer);
  end if;

  from_monthly := least(p_units, greatest(monthly - b.monthly_used, 0));
  from_credits := p_units - from_monthly;
  if from_credits > b.credits then
    return jsonb_build_object('outcome', 'exhausted', 'balance', quota_view(b, monthly));
  end if;

  b.monthly_used := b.monthly_used + from_monthly;
  b.credits_used := b.credits_used + from_credits;
  b.credits := b.credits - from_credits;
  perform quota_save(b);
  admitted := jsonb_build_object(
    'outcome', 'admitted', 'fromMonthly', from_monthly, 'fromCredits', from_credits,
    'balance', quota_view(b, monthly)
  );
  insert into quota_reservations
    (id, account_id, period, from_monthly, from_credits, expires_at, answer, claim_route, claim_key)
  values (p_id, p_account, b.period, from_monthly, from_credits, expires, admitted, p_route, p_key);
  insert into quota_events (reservation_id, kind, account_id, period, monthly, credits)
  values (p_id, 'reserve', p_account, b.period, from_monthly, -from_credits);
  if p_key is not null then
    insert into idempotency as i (account_id, route, key, body_hash, reservation_id, expires_at)
    values (p_account, p_route, p_key, p_body_hash, p_id, expires)
    on conflict (account_id, route, key) do update
    set body_hash = excluded.body_hash, reservation_id = excluded.reservation_id, answer = null,
      expires_at = excluded.expires_at;
  end if;
  return admitted;
end $$;

-- Closes a reservation of an account whose balance the caller has locked. Up to p_refund units go back, credits first;
-- all go back when the reservation's time is over. The claim keeps p_answer for 24 hours. Without an answer, or when
-- the reservation expired, it is released. Returns whether the work was paid for, and the balance after it.
create function quota_close(inout b quota_balances, p_id uuid, p_refund bigint, p_answer text, out paid boolean)
language plpgsql volatile as $$
declare
  r quota_reservations;
  same_period boolean;
begin
  select * into r from quota_reservations q where q.id = p_id and q.account_id = b.account_id for update;
  paid := r.state = 'settled' or (r.state = 'open' and r.expires_at > clock_timestamp());
  if paid is null then paid := false; end if;
  if r.state is distinct from 'open' then return; end if;

  if not paid then p_refund := r.from_monthly + r.from_credits; end if;
  same_period := r.period = b.period;
  r.refunded_credits := least(p_refund, r.from_credits);
  r.refunded_monthly := case when same_period then least(p_refund - r.refunded_credits, r.from_monthly) else 0 end;
  b.credits := b.credits + r.refunded_credits;
  if same_period then
    b.credits_used := b.credits_used - r.refunded_credits;
    b.monthly_used := b.monthly_used - r.refunded_monthly;
  end if;
  if r.refunded_credits + r.refunded_monthly > 0 then perform quota_save(b); end if;

  update quota_reservations q
  set state = case when paid then 'settled' else 'expired' end,
    refunded_monthly = r.refunded_monthly, refunded_credits = r.refunded_credits
  where q.id = p_id;
  insert into quota_events (reservation_id, kind, account_id, period, monthly, credits)
  values (p_id, 'settle', b.account_id, r.period, -r.refunded_monthly, r.refunded_credits);
  if r.claim_key is null then return; end if;
  if paid and p_answer is not null then
    update idempotency i set answer = p_answer, expires_at = clock_timestamp() + interval '24 hours'
    where i.account_id = b.account_id and i.route = r.claim_route and i.key = r.claim_key
      and i.reservation_id = p_id;
  else
    delete from idempotency i
    where i.account_id = b.account_id and i.route = r.claim_route and i.key = r.claim_key
      and i.reservation_id = p_id;
  end if;
end $$;

-- Closes many reservations: p_settles is an array of `Settle`. Returns `Settled` and the id for each. Every function locks
-- accounts in the same order, so two batches never deadlock. An unknown reservation counts as expired.
create function quota_settle(p_settles jsonb, p_free bigint, p_pro bigint)
returns table (id uuid, settled jsonb) language plpgsql volatile as $$
declare
  s record;
  closed record;
begin
  for s in
    select * from jsonb_to_recordset(p_settles) as x (id uuid, "accountId" uuid, "refundUnits" bigint, answer text)
    order by "accountId", x.id
  loop
    closed := quota_close(quota_lock(s."accountId"), s.id, s."refundUnits", s.answer);
    id := s.id;
    settled := jsonb_build_object(
      'outcome', case when closed.paid then 'settled' else 'expired' end,
      'balance', quota_view(closed.b, quota_monthly(s."accountId", p_free, p_pro))
    );
    return next;
  end loop;
end $$;

-- The balance as `Balance`, as of now. It locks and writes nothing.
create function quota_read(p_account uuid, p_free bigint, p_pro bigint) returns jsonb language plpgsql volatile as $$
declare
  b quota_balances;
begin
  select * into b from quota_balances where account_id = p_account;
  if not found then b := row (p_account, quota_month(), 0, 0, 0); end if;
  return quota_view(quota_rolled(b), quota_monthly(p_account, p_free, p_pro));
end $$;

-- Adds the credits that were bought for the account and are not yet part of its balance. Returns the balance.
create function quota_apply_grants(p_account uuid) returns quota_balances language plpgsql volatile as $$
declare
  b quota_balances := quota_lock(p_account);
  g credit_grants;
begin
  for g in
    update credit_grants set applied_at = clock_timestamp()
    where account_id = p_account and applied_at is null returning *
  loop
    b.credits := b.credits + g.amount;
    insert into quota_events (reservation_id, kind, account_id, period, monthly, credits)
    values (g.id, 'grant', p_account, b.period, 0, g.amount);
  end loop;
  perform quota_save(b);
  return b;
end $$;

-- Records bought credits, once for each reference. Returns false when the reference was used with another amount.
create function quota_record_grant(p_account uuid, p_amount bigint, p_reference text)
returns boolean language plpgsql volatile as $$
begin
  insert into credit_grants (account_id, amount, reference) values (p_account, p_amount, p_reference)
  on conflict (account_id, reference) do nothing;
  -- A separate statement sees what another transaction has recorded meanwhile.
  return not exists (
    select from credit_grants
    where account_id = p_account and reference = p_reference and amount <> p_amount
  );
end $$;

-- Records bought credits and adds them. Returns the balance, or null when they were not recorded.
create function quota_grant(p_account uuid, p_amount bigint, p_reference text, p_free bigint, p_pro bigint)
returns jsonb language plpgsql volatile as $$
begin
  if not quota_record_grant(p_account, p_amount, p_reference) then return null; end if;
  return quota_view(quota_apply_grants(p_account), quota_monthly(p_account, p_free, p_pro));
end $$;

-- Deletes claims and answers that have expired, and closed reservations whose time was over p_keep_ms ago; at most
-- p_max of each.
create function quota_purge(p_max integer, p_keep_ms bigint) returns void language sql volatile as $$
  delete from idempotency where (account_id, route, key) in (
    select account_id, route, key from idempotency where expires_at <= clock_timestamp()
    order by expires_at limit p_max for update skip locked
  );
  delete from long_answers where reservation_id in (
    select reservation_id from long_answers where expires_at <= clock_timestamp()
    order by expires_at limit p_max for update skip locked
  );
  delete from quota_reservations where id in (
    select id from quota_reservations
    where state <> 'open' and expires_at <= clock_timestamp() - p_keep_ms * interval '1 millisecond'
    order by expires_at limit p_max for update skip locked
  );
$$;

-- Expires at most p_max reservations whose time is over, adds bought credits that were left waiting, and purges.
-- Returns how many reservations expired.
create function quota_reap(p_max integer, p_keep_ms bigint) returns integer language plpgsql volatile as $$
declare
  due record;
  b quota_balances;
  reaped integer := 0;
begin
  for due in
    select * from (
      select r.id, r.account_id from quota_reservations r
      where r.state = 'open' and r.expires_at <= clock_timestamp() order by r.expires_at limit p_max
    ) oldest order by account_id, id
  loop
    b := quota_lock(due.account_id);
    if exists (select from quota_reservations r where r.id = due.id and r.state = 'open') then
      perform quota_close(b, due.id, 0, null);
      reaped := reaped + 1;
    end if;
  end loop;
  perform quota_apply_grants(waiting.account_id) from (
    select distinct account_id from credit_grants
    where applied_at is null and created_at < now() - interval '10 seconds' order by account_id limit p_max
  ) waiting;
  perform quota_purge(p_max, p_keep_ms);
  return reaped;
end $$;
