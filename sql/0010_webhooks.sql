-- Webhooks: addresses to which accounts have events sent. The statement that changes something also inserts the deliveries
-- that tell of it, so both are saved or neither is. Gateways send what waits, one delivery of a webhook at a time.

create table webhooks (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  url text not null check (octet_length(url) between 1 and 8192),
  -- The events that it subscribes to. Without one it is told only of batches that name it.
  events text[] not null,
  -- It signs deliveries, so it is stored as it is.
  secret bytea not null check (octet_length(secret) = 32),
  -- off: by the account. gone: its address answered 410.
  state text not null default 'on' check (state in ('on', 'off', 'gone')),
  -- The gateway that sends a delivery to it. Nothing is sent before leased_until, which is also a pause after failures.
  lessee uuid,
  leased_until timestamptz not null default now(),
  -- Deliveries that failed since the last one that did not.
  failures integer not null default 0,
  created_at timestamptz(3) not null default now()
);

create index webhooks_of_account on webhooks (account_id, created_at, id);
create index webhooks_of_quota on webhooks (account_id) where 'quota.low' = any (events) and state = 'on';

-- There is no foreign key: a delivery that is inserted while its webhook is deleted must not undo what it tells. It is deleted
-- later.
create table webhook_deliveries (
  -- The `webhook-id` of each try.
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null,
  event text not null,
  -- As text, so that every try sends the same bytes.
  data json not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  -- Since it was created or asked for again.
  tries integer not null default 0,
  -- The next try while it waits. It fails when it still waits a day after `asked_at`.
  next_at timestamptz(3) not null default now(),
  asked_at timestamptz not null default now(),
  -- The last try: the status of the answer and its first bytes, or why there was none.
  tried_at timestamptz(3),
  duration_ms integer,
  status integer,
  answer text,
  error text,
  -- The trace of the call that led to it, as `batches.trace`.
  trace text,
  created_at timestamptz(3) not null default now()
);

create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, next_at) where state = 'waiting';
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, created_at, id);
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

-- The last month in which an account was told that little of its quota is left.
create table webhook_quota_told (
  account_id uuid primary key references accounts (id) on delete cascade,
  period date not null
);

-- The webhooks of an account that are told of an event: those that subscribe to it, and p_also.
create function webhooks_told(p_account uuid, p_event text, p_also uuid) returns setof uuid language sql stable as $$
  select id from webhooks
  where account_id = p_account and state = 'on' and (p_event = any (events) or id = p_also);
$$;

-- A time as answers of the API have it.
create function webhook_time(p_at timestamptz) returns text language sql immutable as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;

create function tell_batch_end() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (webhook_id, event, trace, data)
  select told, 'batch.' || new.state, new.trace, json_build_object(
    'id', new.id, 'state', new.state, 'reason', new.reason, 'folder_id', new.folder_id,
    'rows', new.rows, 'errors', new.errors, 'made', new.made, 'failed', new.failed, 'refunded', new.refunded,
    'grades', new.grades, 'created_at', webhook_time(new.created_at), 'finished_at', webhook_time(new.finished_at),
    'expires_at', webhook_time(new.expires_at))
  from webhooks_told(new.account_id, 'batch.' || new.state, new.webhook_id) as told;
  return null;
end
$$;

create trigger batches_tell_end after update on batches
  for each row when (old.finished_at is null and new.finished_at is not null) execute function tell_batch_end();

-- The first scan of a person. It holds however many gateways write scans of the link at once, because the row of totals is
-- locked.
create function tell_first_scan() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (webhook_id, event, data)
  select told, 'link.first_scan', json_build_object(
    'slug', coalesce(l.own_slug, l.slug), 'code_id', c.id, 'destination', l.destination, 'scanned_at', webhook_time(new.last_at))
  from links l join codes c on c.slug = l.slug
  cross join lateral webhooks_told(l.account_id, 'link.first_scan', null) as told
  where l.slug = new.slug;
  return null;
end
$$;

create trigger scan_totals_tell_first after insert on scan_totals
  for each row when (new.people > 0) execute function tell_first_scan();
create trigger scan_totals_tell_first_after_others after update on scan_totals
  for each row when (old.people = 0 and new.people > 0) execute function tell_first_scan();

-- Tells the accounts that have less than p_share of their monthly quota left, credits included, once a month. The limits of the
-- plans are the gateway's, so it calls this from time to time.
create function tell_low_quota(p_share double precision, p_free bigint, p_pro bigint) returns void
language sql volatile as $$
  with watched as (
    select distinct w.account_id from webhooks w
    where 'quota.low' = any (w.events) and w.state = 'on' and not exists (
      select from webhook_quota_told t where t.account_id = w.account_id and t.period >= quota_month())
  ), standing as (
    select w.account_id, quota_month() as period, quota_monthly(w.account_id, p_free, p_pro) as monthly,
      case when b.period = quota_month() then b.monthly_used else 0 end as used, coalesce(b.credits, 0) as credits
    from watched w left join quota_balances b on b.account_id = w.account_id
  ), low as (
    select *, greatest(monthly - used, 0) + credits as remaining from standing
    where greatest(monthly - used, 0) + credits < monthly * p_share
  ), told as (
    insert into webhook_quota_told as t (account_id, period) select account_id, period from low order by account_id
    on conflict (account_id) do update set period = excluded.period where t.period < excluded.period
    returning account_id
  )
  insert into webhook_deliveries (webhook_id, event, data)
  select w, 'quota.low', json_build_object(
    'period', l.period, 'monthly_quota', l.monthly, 'monthly_used', l.used, 'credits', l.credits,
    'remaining', l.remaining, 'resets_at', webhook_time((l.period + interval '1 month') at time zone 'UTC'))
  from told join low l using (account_id) cross join lateral webhooks_told(account_id, 'quota.low', null) as w;
$$;
