-- The quota ledger. Each account has a balance. What it used is summed up by API key, kind of call and hour; what was
-- done by hand has a row each. A balance is the sum of these.
--
-- Without Redis the functions below are the ledger. Each is called as one statement, and the row of quota_balances is
-- the lock of its account. With Redis the balances and the sums follow its streams (0003_quota_redis.sql), and Redis
-- holds the open reservations and the claims. The only clock is the database's.

create table quota_balances (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- The first day of the calendar month (UTC) to which the counts belong. It only moves forward.
  period date not null check (extract(day from period) = 1),
  monthly_used bigint not null default 0 check (monthly_used >= 0),
  -- Credits spent in this period. Together with monthly_used they are the usage count.
  credits_used bigint not null default 0 check (credits_used >= 0),
  -- Credits left. The bound keeps numbers exact in a double, with which Redis and JavaScript count.
  credits bigint not null default 0 check (credits between 0 and 9007199254740991),
  -- The part of the counts above that reservations in Redis have taken and nobody has settled yet.
  open_monthly bigint not null default 0 check (open_monthly >= 0),
  open_credits bigint not null default 0 check (open_credits >= 0)
-- The row is updated many times a second; room in its page keeps the new versions there.
) with (fillfactor = 50);

-- The open reservations of the ledger in SQL.
create table quota_reservations (
  id uuid primary key,
  account_id uuid not null,
  period date not null,
  from_monthly bigint not null check (from_monthly >= 0),
  from_credits bigint not null check (from_credits >= 0),
  expires_at timestamptz not null,
  -- What reserve answered, to be returned when the same id comes again.
  answer jsonb not null,
  key_id uuid not null,
  kind text not null,
  claim_route text,
  claim_key text,
  check (from_monthly + from_credits > 0)
);

create index quota_reservations_by_end on quota_reservations (expires_at);

-- What accounts used, by API key, kind of call and hour. A call that gave units back counts in the hour in which it took
-- them; the units given back count in the hour in which they went back. Days replace hours that are 90 days old.
create table usage_hours (
  account_id uuid not null references accounts (id) on delete cascade,
  -- The beginning of the hour.
  hour timestamptz not null check (date_trunc('hour', hour, 'UTC') = hour),
  key_id uuid not null,
  -- Calls that are marked as those of a load test are of a kind of their own, as 'single-test'.
  kind text not null check (kind ~ '^(single|code|bulk|image|batch)(-test)?$'),
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
  kind text not null check (kind ~ '^(single|code|bulk|image|batch)(-test)?$'),
  calls bigint not null,
  monthly bigint not null,
  credits bigint not null,
  refunded_monthly bigint not null,
  refunded_credits bigint not null,
  refunded_late bigint not null,
  primary key (account_id, day, key_id, kind)
);

-- The first day for which usage is kept by day (USAGE_RETENTION_MONTHS), the first of a month; null: all of it is. It never
-- moves back.
create table usage_kept (
  is_only boolean primary key default true check (is_only),
  since date check (extract(day from since) = 1)
);

insert into usage_kept default values;

-- The sums of the days before it.
create table usage_before (
  account_id uuid not null references accounts (id) on delete cascade,
  kind text not null,
  calls bigint not null,
  monthly bigint not null,
  credits bigint not null,
  refunded_monthly bigint not null,
  refunded_credits bigint not null,
  refunded_late bigint not null,
  primary key (account_id, kind)
);

-- Credits that were forgiven: Redis had given them out twice after it lost counts.
create table quota_corrections (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  -- What is added to credits beyond the sums of the usage.
  credits bigint not null,
  note text not null,
  at timestamptz not null default clock_timestamp()
);

create index quota_corrections_of_account on quota_corrections (account_id);

-- Units that a long job took at once, and what it gave back at its end.
create table quota_holds (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  key_id uuid not null,
  period date not null,
  from_monthly bigint not null check (from_monthly >= 0),
  from_credits bigint not null check (from_credits >= 0),
  held_at timestamptz not null default clock_timestamp(),
  -- What goes back; null while the job runs.
  return_monthly bigint check (return_monthly between 0 and from_monthly),
  return_credits bigint check (return_credits between 0 and from_credits),
  released_at timestamptz,
  -- Null: what goes back is not yet part of the balance.
  applied_at timestamptz
);

create index quota_holds_waiting on quota_holds (released_at) where released_at is not null and applied_at is null;
create index quota_holds_of_account on quota_holds (account_id);

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
create table claims (
  account_id uuid not null,
  route text not null,
  key text not null,
  body_hash text not null,
  reservation_id uuid not null,
  answer text,
  expires_at timestamptz not null,
  primary key (account_id, route, key)
);

create index claims_expires_at on claims (expires_at);

-- Calls whose codes were saved, single ones and bulk calls: the transaction that saves them inserts the row, so the two
-- are one truth. Whoever ends a call whose outcome is unknown inserts the row first, and then it cannot be saved any more.
create table saved_calls (
  -- That of the call's units.
  reservation_id uuid primary key,
  account_id uuid not null,
  -- Units of items that failed; null: nothing was saved.
  refund_units bigint check (refund_units >= 0),
  folder_id uuid,
  -- Of a call with an Idempotency-Key; answer is the first answer, which is replayed.
  claim_route text,
  claim_key text,
  body_hash text,
  answer text,
  expires_at timestamptz not null default now() + interval '24 hours'
);

create unique index saved_calls_of_claim on saved_calls (account_id, claim_route, claim_key) where claim_key is not null;
create index saved_calls_expires_at on saved_calls (expires_at);

-- Returns the units that a saved call gives back, once a save under way has ended; null: nothing was saved, and from
-- now on nothing can be.
create function quota_find_saved(p_id uuid, p_account uuid) returns bigint language plpgsql volatile as $$
begin
  insert into saved_calls (reservation_id, account_id) values (p_id, p_account) on conflict do nothing;
  return (select refund_units from saved_calls where reservation_id = p_id);
end $$;

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

-- Adds to the usage of the present hour, or of the hour of the balance's month that is nearest to it.
create function quota_count(
  b quota_balances, p_key uuid, p_kind text, p_calls bigint, p_monthly bigint, p_credits bigint,
  p_refunded_monthly bigint, p_refunded_credits bigint, p_refunded_late bigint
) returns void language sql volatile as $$
  insert into usage_hours as u (account_id, hour, key_id, kind, calls, monthly, credits,
    refunded_monthly, refunded_credits, refunded_late)
  values (b.account_id,
    least(greatest(date_trunc('hour', clock_timestamp(), 'UTC'), b.period::timestamp at time zone 'UTC'),
      (b.period + interval '1 month - 1 hour') at time zone 'UTC'), p_key, p_kind, p_calls, p_monthly, p_credits,
    p_refunded_monthly, p_refunded_credits, p_refunded_late)
  on conflict (account_id, hour, key_id, kind) do update set
    calls = u.calls + excluded.calls, monthly = u.monthly + excluded.monthly,
    credits = u.credits + excluded.credits, refunded_monthly = u.refunded_monthly + excluded.refunded_monthly,
    refunded_credits = u.refunded_credits + excluded.refunded_credits,
    refunded_late = u.refunded_late + excluded.refunded_late;
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

-- Returns what each API key of an account has used in a month, with what the keys have used that it made, whatever paid for
-- it. It is less than 0 where a remainder (0003_quota_redis.sql) went back to another key than had taken it.
create function quota_used_by_keys(p_account uuid, p_period date) returns table (key_id uuid, used bigint)
language sql stable as $$
  with own as (
    select u.key_id, sum(monthly + credits - refunded_monthly - refunded_credits) as used from usage_hours u
    where u.account_id = p_account and u.hour >= p_period::timestamp at time zone 'UTC'
      and u.hour < (p_period + interval '1 month') at time zone 'UTC'
    group by u.key_id
  )
  select counted.id, sum(own.used)::bigint
  from own left join api_keys k on k.id = own.key_id, unnest(own.key_id || coalesce(k.makers, '{}')) as counted (id)
  group by counted.id;
$$;

-- Takes all of p_units or nothing, first from the monthly quota, then from the credits, and counts a call. The caller
-- has locked the balance. Returns how much came from each; or else in `refusal` what is to be answered without the
-- balance, when fewer units are left, or fewer of the own quota of a key: p_keys are the API key and its
-- makers, p_key_quotas their quotas; null is none.
create function quota_take(
  inout b quota_balances, p_units bigint, p_monthly bigint, p_keys uuid[], p_kind text, p_key_quotas bigint[],
  out from_monthly bigint, out from_credits bigint, out refusal jsonb
) language plpgsql volatile as $$
declare
  key_left bigint;
begin
  if array_remove(p_key_quotas, null) <> '{}' then
    select min(greatest(own.quota - greatest(coalesce(k.used, 0), 0), 0)) into key_left
    from unnest(p_keys, p_key_quotas) as own (id, quota)
    left join quota_used_by_keys(b.account_id, b.period) k on k.key_id = own.id where own.quota is not null;
    if p_units > key_left then
      refusal := jsonb_build_object('outcome', 'key_exhausted', 'keyRemaining', key_left);
      return;
    end if;
  end if;
  from_monthly := least(p_units, greatest(p_monthly - b.monthly_used, 0));
  from_credits := p_units - from_monthly;
  if from_credits > b.credits then
    refusal := jsonb_build_object('outcome', 'exhausted');
    return;
  end if;
  b.monthly_used := b.monthly_used + from_monthly;
  b.credits_used := b.credits_used + from_credits;
  b.credits := b.credits - from_credits;
  perform quota_save(b);
  perform quota_count(b, p_keys[1], p_kind, 1, from_monthly, from_credits, 0, 0, 0);
end $$;

-- Gives units back that were taken in a period. The caller has locked the balance. A monthly unit of a past month does
-- not go back.
create function quota_give_back(
  inout b quota_balances, p_period date, p_monthly bigint, p_credits bigint, p_key uuid, p_kind text
) language plpgsql volatile as $$
begin
  b.credits := b.credits + p_credits;
  if p_period = b.period then
    b.credits_used := b.credits_used - p_credits;
    b.monthly_used := b.monthly_used - p_monthly;
    perform quota_count(b, p_key, p_kind, 0, 0, 0, p_monthly, p_credits, 0);
  elsif p_credits > 0 then
    perform quota_count(b, p_key, p_kind, 0, 0, 0, 0, 0, p_credits);
  end if;
  perform quota_save(b);
end $$;

-- Takes all of p_units or nothing, and claims the Idempotency-Key when there is one. Returns `Reserved`. The lock of the
-- account also guards its claims.
create function quota_reserve(
  p_id uuid, p_account uuid, p_units bigint, p_ttl_ms bigint, p_free bigint, p_pro bigint,
  p_keys uuid[], p_kind text, p_key_quotas bigint[], p_route text, p_key text, p_body_hash text
) returns jsonb language plpgsql volatile as $$
declare
  b quota_balances := quota_lock(p_account);
  monthly bigint := quota_monthly(p_account, p_free, p_pro);
  expires timestamptz := clock_timestamp() + p_ttl_ms * interval '1 millisecond';
  before_this jsonb;
  claim claims;
  taken record;
  admitted jsonb;
begin
  select r.answer into before_this from quota_reservations r where r.id = p_id and r.account_id = p_account;
  if found then return before_this; end if;

  select * into claim from claims c
  where c.account_id = p_account and c.route = p_route and c.key = p_key and c.expires_at > clock_timestamp();
  if found then
    if claim.body_hash <> p_body_hash then return jsonb_build_object('outcome', 'mismatch'); end if;
    if claim.answer is null then return jsonb_build_object('outcome', 'running'); end if;
    return jsonb_build_object('outcome', 'replay', 'answer', claim.answer);
  end if;

  taken := quota_take(b, p_units, monthly, p_keys, p_kind, p_key_quotas);
  if taken.refusal is not null then
    return taken.refusal || jsonb_build_object('balance', quota_view(b, monthly));
  end if;
  admitted := jsonb_build_object(
    'outcome', 'admitted', 'fromMonthly', taken.from_monthly, 'fromCredits', taken.from_credits,
    'balance', quota_view(taken.b, monthly)
  );
  insert into quota_reservations
    (id, account_id, period, from_monthly, from_credits, expires_at, answer, key_id, kind, claim_route, claim_key)
  values (p_id, p_account, b.period, taken.from_monthly, taken.from_credits, expires, admitted, p_keys[1], p_kind,
    p_route, p_key);
  if p_key is not null then
    insert into claims as c (account_id, route, key, body_hash, reservation_id, expires_at)
    values (p_account, p_route, p_key, p_body_hash, p_id, expires)
    on conflict (account_id, route, key) do update
    set body_hash = excluded.body_hash, reservation_id = excluded.reservation_id, answer = null,
      expires_at = excluded.expires_at;
  end if;
  return admitted;
end $$;

-- Closes a reservation of an account whose balance the caller has locked. Up to p_refund units go back, credits first;
-- all go back when the reservation's time is over, unless its codes were saved. The claim keeps p_answer for
-- 24 hours. Without an answer, or when the reservation expired, it is released. Returns the outcome of `Settled`, and the balance after it.
create function quota_close(inout b quota_balances, p_id uuid, p_refund bigint, p_answer text, out outcome text)
language plpgsql volatile as $$
declare
  r quota_reservations;
  credits bigint;
  saved_refund bigint;
begin
  outcome := 'unknown';
  delete from quota_reservations q where q.id = p_id and q.account_id = b.account_id returning * into r;
  if not found then return; end if;

  outcome := case when r.expires_at > clock_timestamp() then 'settled' else 'expired' end;
  if outcome = 'expired' then
    if r.kind ~ '^(code|bulk)' then saved_refund := quota_find_saved(p_id, b.account_id); end if;
    if saved_refund is not null then outcome := 'settled'; end if;
    p_refund := coalesce(saved_refund, r.from_monthly + r.from_credits);
  end if;
  credits := least(p_refund, r.from_credits);
  if p_refund > 0 then
    b := quota_give_back(b, r.period, least(p_refund - credits, r.from_monthly), credits, r.key_id, r.kind);
  end if;
  if r.claim_key is null then return; end if;
  if outcome = 'settled' and p_answer is not null then
    update claims c set answer = p_answer, expires_at = clock_timestamp() + interval '24 hours'
    where c.account_id = b.account_id and c.route = r.claim_route and c.key = r.claim_key
      and c.reservation_id = p_id;
  else
    delete from claims c
    where c.account_id = b.account_id and c.route = r.claim_route and c.key = r.claim_key
      and c.reservation_id = p_id;
  end if;
end $$;

-- Closes many reservations: p_settles is an array of `Settle`. Returns `Settled` and the id for each. Every function locks
-- accounts in the same order, so two groups of settles never deadlock.
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
      'outcome', closed.outcome,
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

-- Adds what waits for an account: bought credits, and what ended jobs give back. Returns the balance.
create function quota_apply_waiting(p_account uuid) returns quota_balances language plpgsql volatile as $$
declare
  b quota_balances := quota_lock(p_account);
  g credit_grants;
  h quota_holds;
begin
  for g in
    update credit_grants set applied_at = clock_timestamp()
    where account_id = p_account and applied_at is null returning *
  loop
    b.credits := b.credits + g.amount;
  end loop;
  perform quota_save(b);
  for h in
    update quota_holds set applied_at = clock_timestamp()
    where account_id = p_account and released_at is not null and applied_at is null returning *
  loop
    b := quota_give_back(b, h.period, h.return_monthly, h.return_credits, h.key_id, 'batch');
  end loop;
  return b;
end $$;

-- Records bought credits, once for each id and reference. Returns false when the reference was used with another amount.
create function quota_record_grant(p_id uuid, p_account uuid, p_amount bigint, p_reference text)
returns boolean language plpgsql volatile as $$
begin
  insert into credit_grants (id, account_id, amount, reference) values (p_id, p_account, p_amount, p_reference)
  on conflict do nothing;
  -- A separate statement sees what another transaction has recorded meanwhile.
  return not exists (
    select from credit_grants
    where account_id = p_account and reference = p_reference and amount <> p_amount
  );
end $$;

-- Records bought credits and adds them. Returns the balance, or null when they were not recorded.
create function quota_grant(p_id uuid, p_account uuid, p_amount bigint, p_reference text, p_free bigint, p_pro bigint)
returns jsonb language plpgsql volatile as $$
begin
  if not quota_record_grant(p_id, p_account, p_amount, p_reference) then return null; end if;
  return quota_view(quota_apply_waiting(p_account), quota_monthly(p_account, p_free, p_pro));
end $$;

-- Takes units for a long job, once for each id. Returns `Held`.
create function quota_hold(
  p_id uuid, p_account uuid, p_units bigint, p_keys uuid[], p_key_quotas bigint[], p_free bigint, p_pro bigint
) returns jsonb language plpgsql volatile as $$
declare
  b quota_balances := quota_lock(p_account);
  monthly bigint := quota_monthly(p_account, p_free, p_pro);
  h quota_holds;
  taken record;
begin
  select * into h from quota_holds where id = p_id and account_id = p_account;
  if not found then
    taken := quota_take(b, p_units, monthly, p_keys, 'batch', p_key_quotas);
    if taken.refusal is not null then
      return taken.refusal || jsonb_build_object('balance', quota_view(b, monthly));
    end if;
    b := taken.b;
    insert into quota_holds (id, account_id, key_id, period, from_monthly, from_credits)
    values (p_id, p_account, p_keys[1], b.period, taken.from_monthly, taken.from_credits) returning * into h;
  end if;
  return jsonb_build_object('outcome', 'held', 'fromMonthly', h.from_monthly, 'fromCredits', h.from_credits,
    'balance', quota_view(b, monthly));
end $$;

-- Notes what a job gives back at its end, credits first; once for each id. Returns false when there is no such job.
create function quota_note_release(p_id uuid, p_account uuid, p_refund bigint) returns boolean
language plpgsql volatile as $$
begin
  update quota_holds set return_credits = least(p_refund, from_credits),
    return_monthly = least(p_refund - least(p_refund, from_credits), from_monthly), released_at = clock_timestamp()
  where id = p_id and account_id = p_account and released_at is null;
  return found or exists (select from quota_holds where id = p_id and account_id = p_account);
end $$;

-- Ends a job and gives units back. Returns the balance, or null when there is no such job.
create function quota_release(p_id uuid, p_account uuid, p_refund bigint, p_free bigint, p_pro bigint)
returns jsonb language plpgsql volatile as $$
begin
  if not quota_note_release(p_id, p_account, p_refund) then return null; end if;
  return quota_view(quota_apply_waiting(p_account), quota_monthly(p_account, p_free, p_pro));
end $$;

-- Returns the accounts for which something has waited for ten seconds or more; at most p_max.
create function quota_left_waiting(p_max integer) returns setof uuid language sql volatile as $$
  select account_id from credit_grants where applied_at is null and created_at < now() - interval '10 seconds'
  union select account_id from quota_holds
  where released_at < now() - interval '10 seconds' and applied_at is null order by 1 limit p_max;
$$;

-- Deletes claims, saved calls and answers that have expired; at most p_max of each.
create function quota_purge(p_max integer) returns void language sql volatile as $$
  delete from claims where (account_id, route, key) in (
    select account_id, route, key from claims where expires_at <= clock_timestamp()
    order by expires_at limit p_max for update skip locked
  );
  delete from saved_calls where reservation_id in (
    select reservation_id from saved_calls where expires_at <= clock_timestamp()
    order by expires_at limit p_max for update skip locked
  );
  delete from long_answers where reservation_id in (
    select reservation_id from long_answers where expires_at <= clock_timestamp()
    order by expires_at limit p_max for update skip locked
  );
$$;

-- Expires at most p_max reservations whose time is over, adds what was left waiting, and purges. Returns how many
-- reservations expired.
create function quota_reap(p_max integer) returns integer language plpgsql volatile as $$
declare
  due record;
  closed record;
  reaped integer := 0;
begin
  for due in
    select * from (
      select r.id, r.account_id from quota_reservations r
      where r.expires_at <= clock_timestamp() order by r.expires_at limit p_max
    ) oldest order by account_id, id
  loop
    closed := quota_close(quota_lock(due.account_id), due.id, 0, null);
    if closed.outcome = 'expired' then reaped := reaped + 1; end if;
  end loop;
  perform quota_apply_waiting(account_id) from quota_left_waiting(p_max) as waiting (account_id);
  perform quota_purge(p_max);
  return reaped;
end $$;
