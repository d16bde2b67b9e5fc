-- Events of accounts, and webhooks: addresses to which accounts have them sent. The statement that changes something also
-- inserts the event that tells of it and the deliveries of the event, so all are saved or none is. Gateways send what waits.

create table webhooks (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  url text not null check (octet_length(url) between 1 and 8192),
  -- The events that it subscribes to. Without one it is told only of batches that name it.
  events text[] not null,
  -- off: by the account. gone: its address answered 410.
  state text not null default 'on' check (state in ('on', 'off', 'gone')),
  -- When a gateway took deliveries for it last: the webhook that was served least recently is next.
  served_at timestamptz not null default now(),
  -- Nothing is sent before: the pause after failures.
  paused_until timestamptz not null default now(),
  -- Tries that failed since the last one that did not, and when the first of them did. Those that were under way together
  -- count once.
  failures integer not null default 0,
  failing_since timestamptz(3),
  -- Deliveries that were given up.
  missed bigint not null default 0,
  created_at timestamptz(3) not null default now()
);

-- The secrets of a webhook: one, or two while its receiver changes over. Each signs every delivery, so they are stored as they
-- are.
create table webhook_secrets (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhooks (id) on delete cascade,
  secret bytea not null check (octet_length(secret) = 32),
  created_at timestamptz(3) not null default now()
);

create index webhook_secrets_of_webhook on webhook_secrets (webhook_id, created_at, id);

create index webhooks_of_account on webhooks (account_id, created_at, id);
create index webhooks_of_scans on webhooks (account_id) where 'scan' = any (events);
create index webhooks_of_quota on webhooks (account_id) where 'quota.low' = any (events);

create table events (
  -- The `webhook-id` of each try to deliver it.
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  type text not null,
  -- As text, so that every try sends the same bytes.
  data json not null,
  -- The trace of the call that led to it, as `batches.trace`.
  trace text,
  created_at timestamptz(3) not null default now()
);

create index events_of_account on events (account_id, created_at, id) include (type);
create index events_by_age on events (created_at);

-- Accounts of which events were removed because there were too many, and the time since which none was.
create table event_trims (
  account_id uuid primary key references accounts (id) on delete cascade,
  complete_since timestamptz(3) not null
);

-- What each webhook is sent. It has no foreign key to the webhook: a delivery that is inserted while its webhook is deleted must
-- not undo what it tells. It is deleted later.
create table webhook_deliveries (
  event_id uuid not null references events (id) on delete cascade,
  webhook_id uuid not null,
  -- That of the event.
  created_at timestamptz(3) not null default now(),
  -- When it was created or asked for again.
  asked_at timestamptz not null default now(),
  -- The next try while it waits.
  next_at timestamptz(3) not null default now(),
  -- A gateway sends it until then; null: none does.
  leased_until timestamptz,
  -- The last try: the status of the answer, or why there was none.
  tried_at timestamptz(3),
  duration_ms integer,
  status integer,
  -- Tries since `asked_at`.
  tries integer not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  error text,
  primary key (event_id, webhook_id)
);

-- What receivers answered to the last try of a delivery: some headers, and the first bytes of the body. Only the newest
-- answers of a webhook are kept.
create table webhook_answers (
  webhook_id uuid not null,
  event_id uuid not null,
  headers json not null check (octet_length(headers::text) <= 8192),
  body text not null check (octet_length(body) <= 16384),
  at timestamptz not null default now(),
  primary key (webhook_id, event_id),
  foreign key (event_id, webhook_id) references webhook_deliveries on delete cascade
);

create index webhook_answers_by_age on webhook_answers (webhook_id, at);

create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, next_at) where state = 'waiting';
create index webhook_deliveries_leased on webhook_deliveries (webhook_id) where leased_until is not null;
create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, created_at, event_id);

-- The last month in which an account was told that little of its quota is left.
create table webhook_quota_told (
  account_id uuid primary key references accounts (id) on delete cascade,
  period date not null
);

-- Whether the account has a webhook that subscribes to an event, also one that is not on.
create function is_subscribed(p_account uuid, p_event text) returns boolean language sql stable as $$
  select exists (select from webhooks where account_id = p_account and p_event = any (events));
$$;

-- The webhooks of an account that are told of an event: those that subscribe to it, and p_also.
create function webhooks_told(p_account uuid, p_event text, p_also uuid) returns setof uuid language sql stable as $$
  select id from webhooks
  where account_id = p_account and state = 'on' and (p_event = any (events) or id = p_also);
$$;

-- A time as answers of the API have it.
create function webhook_time(p_at timestamptz) returns text language sql immutable as $$
  select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
$$;

-- Writes an event of an account, and its deliveries to the webhooks that subscribe to it, and to p_also.
create function tell_event(p_account uuid, p_event text, p_data json, p_trace text, p_also uuid default null) returns void
language sql volatile as $$
  with event as (
    insert into events (account_id, type, data, trace) values (p_account, p_event, p_data, p_trace) returning id, created_at
  )
  insert into webhook_deliveries (event_id, webhook_id, created_at)
  select id, told, created_at from event, webhooks_told(p_account, p_event, p_also) as told;
$$;

-- Tells of saved codes, of which p_ids names the first ones. A batch tells of all its codes at its end, however it ends, since its
-- pieces may be thousands.
create function tell_new_codes(
  p_account uuid, p_folder uuid, p_key uuid, p_batch uuid, p_count integer, p_ids uuid[], p_trace text
) returns void language sql volatile as $$
  select tell_event(p_account, 'code.created', json_build_object(
    'folder_id', p_folder, 'key_id', p_key, 'batch_id', p_batch, 'count', p_count, 'ids', p_ids), p_trace);
$$;

create function tell_batch_end() returns trigger language plpgsql as $$
begin
  if new.made > 0 then
    perform tell_new_codes(new.account_id, new.folder_id, new.key_id, new.id, new.made, '{}', new.trace);
  end if;
  perform tell_event(new.account_id, 'batch.' || new.state, json_build_object(
    'id', new.id, 'state', new.state, 'reason', new.reason, 'folder_id', new.folder_id,
    'rows', new.rows, 'errors', new.errors, 'made', new.made, 'failed', new.failed,
    'duplicates', new.duplicates, 'refunded', new.refunded,
    'grades', new.grades, 'created_at', webhook_time(new.created_at), 'finished_at', webhook_time(new.finished_at),
    'expires_at', webhook_time(new.expires_at)), new.trace, new.webhook_id);
  return null;
end
$$;

create trigger batches_tell_end after update on batches
  for each row when (old.finished_at is null and new.finished_at is not null) execute function tell_batch_end();

-- The first scan of a person. It holds however many gateways write scans of the link at once, because the row of totals is
-- locked.
create function tell_first_scan() returns trigger language plpgsql as $$
begin
  perform tell_event(l.account_id, 'link.first_scan', json_build_object(
    'slug', coalesce(l.own_slug, l.slug), 'domain', domain_place(l.domain_id), 'code_id', c.id, 'destination', l.destination,
    'scanned_at', webhook_time(new.last_at)), null)
  from links l join codes c on c.slug = l.slug
  where l.slug = new.slug and is_subscribed(l.account_id, 'link.first_scan');
  return null;
end
$$;

create trigger scan_totals_tell_first after insert on scan_totals
  for each row when (new.people > 0) execute function tell_first_scan();
create trigger scan_totals_tell_first_after_others after update on scan_totals
  for each row when (old.people = 0 and new.people > 0) execute function tell_first_scan();

-- The limit of a link is reached once: a higher limit is another one.
create function tell_limit_reached() returns trigger language plpgsql as $$
begin
  perform tell_event(l.account_id, 'link.limit_reached', json_build_object(
    'slug', coalesce(l.own_slug, l.slug), 'domain', domain_place(l.domain_id), 'code_id', c.id, 'destination', l.destination,
    'visit_limit', l.visit_limit, 'scanned_at', webhook_time(new.last_at)), null)
  from links l join codes c on c.slug = l.slug
  where l.slug = new.slug and is_subscribed(l.account_id, 'link.limit_reached');
  return null;
end
$$;

create trigger scan_totals_tell_limit after update on scan_totals
  for each row when (old.people < new.visit_limit and new.people >= new.visit_limit)
  execute function tell_limit_reached();

-- Tells the accounts that have less than p_share of their monthly quota left, credits included, once a month. The limits of the
-- plans are the gateway's, so it calls this from time to time.
create function tell_low_quota(p_share double precision, p_free bigint, p_pro bigint) returns void
language sql volatile as $$
  with watched as (
    select distinct w.account_id from webhooks w
    where 'quota.low' = any (w.events) and not exists (
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
  ), event as (
    insert into events (account_id, type, data)
    select account_id, 'quota.low', json_build_object(
      'period', l.period, 'monthly_quota', l.monthly, 'monthly_used', l.used, 'credits', l.credits,
      'remaining', l.remaining, 'resets_at', webhook_time((l.period + interval '1 month') at time zone 'UTC'))
    from told join low l using (account_id) returning id, account_id, created_at
  )
  insert into webhook_deliveries (event_id, webhook_id, created_at)
  select e.id, w, e.created_at from event e cross join lateral webhooks_told(e.account_id, 'quota.low', null) as w;
$$;

create function tell_new_key() returns trigger language plpgsql as $$
begin
  perform tell_event(new.account_id, 'key.created', json_build_object(
    'id', new.id, 'name', new.name, 'prefix', new.prefix, 'scopes', new.scopes,
    'sandbox', new.is_sandbox, 'load_tests', new.load_tests, 'rate_limit_per_second', new.rate_limit_per_second,
    'monthly_quota', new.monthly_quota, 'expires_at', webhook_time(new.expires_at), 'created_at', webhook_time(new.created_at), 'made_by', new.makers[1], 'replaced_by', new.replaced_by), null);
  return null;
end
$$;

create trigger api_keys_tell_new after insert on api_keys for each row execute function tell_new_key();

-- A statement changes links of one account, a thousand at most, and all of them together.
create function tell_link_changes() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  account uuid := (select l.account_id from links l where l.slug = (select slug from entries limit 1));
begin
  if account is null then
    return null;
  end if;
  perform tell_event(account, 'link.changed', (
    with change as (
      -- The first change of a link also enters how it was made.
      select distinct on (slug) *, coalesce(own_slug, slug) as shown from entries order by slug, id desc
    ), placed as (
      select *, row_number() over (order by shown) as place from change
    )
    select json_build_object('change_id', min(change_id::text), 'key_id', min(key_id::text), 'count', count(*),
      'slugs', json_agg(shown order by place), 'links', json_agg(link order by place) filter (where place <= 10))
    from placed p left join lateral (
      select json_build_object('slug', shown, 'domain', domain_place(l.domain_id), 'code_id', c.id, 'changed', array_remove(array[
          case when p.destination is distinct from h.destination then 'destination' end,
          case when p.active_from is distinct from h.active_from then 'active_from' end,
          case when p.active_until is distinct from h.active_until then 'active_until' end,
          case when p.before_destination is distinct from h.before_destination then 'before_destination' end,
          case when p.after_destination is distinct from h.after_destination then 'after_destination' end,
          case when p.rules::text is distinct from h.rules::text then 'rules' end,
          case when p.rule_set_id is distinct from h.rule_set_id then 'rule_set_id' end,
          case when p.visit_limit is distinct from h.visit_limit then 'visit_limit' end,
          case when p.password_hash is distinct from h.password_hash then 'password' end,
          case when p.forward is distinct from h.forward then 'forward' end,
          case when p.own_slug is distinct from h.own_slug then 'slug' end], null),
        'destination', p.destination, 'active_from', webhook_time(p.active_from),
        'active_until', webhook_time(p.active_until), 'before_destination', p.before_destination,
        'after_destination', p.after_destination, 'forward', p.forward) as link
      from codes c join links l on l.slug = c.slug, lateral (
        select e.destination, e.active_from, e.active_until, e.before_destination, e.after_destination, e.forward,
          e.rules, e.rule_set_id, e.visit_limit, e.password_hash, e.own_slug
        from link_history e where e.slug = p.slug and e.id < p.id order by e.id desc limit 1
      ) as h
      where c.slug = p.slug and place <= 10
    ) as shown_link on true), null);
  return null;
end
$$;

create trigger link_history_tell after insert on link_history
  referencing new table as entries for each statement execute function tell_link_changes();

-- Scans of accounts with a webhook for scans that no event tells of yet. They are written by the statement that counts the
-- scans, so none is missing and none is told twice.
create table webhook_scans (
  account_id uuid not null,
  slug text not null,
  people bigint not null,
  bots bigint not null,
  previews bigint not null,
  at timestamptz not null default now()
);

create index webhook_scans_of_account on webhook_scans (account_id, at);

create function note_scans_to_tell() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if not exists (select from webhooks where 'scan' = any (events)) then
    return null;
  elsif tg_op = 'INSERT' then
    insert into webhook_scans (account_id, slug, people, bots, previews)
    select l.account_id, n.slug, n.people, n.bots, n.previews
    from counted n cross join lateral (select account_id from links where links.slug = n.slug offset 0) as l
    where is_subscribed(l.account_id, 'scan');
  else
    insert into webhook_scans (account_id, slug, people, bots, previews)
    select l.account_id, n.slug, n.people - o.people, n.bots - o.bots, n.previews - o.previews
    from counted n join counted_before o on o.slug = n.slug
    cross join lateral (select account_id from links where links.slug = n.slug offset 0) as l
    where n.people + n.bots + n.previews > o.people + o.bots + o.previews
      and is_subscribed(l.account_id, 'scan');
  end if;
  return null;
end
$$;

create trigger scan_totals_note_first after insert on scan_totals
  referencing new table as counted for each statement execute function note_scans_to_tell();
create trigger scan_totals_note after update on scan_totals
  referencing old table as counted_before new table as counted
  for each statement execute function note_scans_to_tell();

-- Tells each account of the scans since its last event, a minute at the earliest after the first of them. Gateways call this
-- from time to time; one at a time does it.
create function tell_scans() returns void language plpgsql set enable_seqscan = off as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('scans to tell')) then
    return;
  end if;
  with due as (
    select account_id from webhook_scans group by account_id having min(at) <= now() - interval '1 minute'
  ), taken as (
    delete from webhook_scans s using due where s.account_id = due.account_id
    returning s.account_id, s.slug, s.people, s.bots, s.previews, s.at
  ), link as (
    select account_id, slug, sum(people) as people, sum(bots) as bots, sum(previews) as previews, min(at) as since
    from taken group by account_id, slug
  ), placed as (
    select *, row_number() over (partition by account_id order by people desc, bots + previews desc, slug) as place from link
  ), told as (
    select p.account_id, json_build_object(
      'from', webhook_time(min(p.since)), 'to', webhook_time(now()),
      'people', sum(p.people), 'bots', sum(p.bots), 'previews', sum(p.previews), 'links', count(*),
      'codes', json_agg(json_build_object('code_id', c.id, 'slug', coalesce(l.own_slug, p.slug),
        'domain', domain_place(l.domain_id), 'people', p.people, 'bots', p.bots, 'previews', p.previews) order by p.place) filter (where p.place <= 100)) as data
    from placed p
    cross join lateral (select own_slug, domain_id from links where links.slug = p.slug offset 0) as l
    left join lateral (select id from codes where codes.slug = p.slug offset 0) as c on true
    group by p.account_id
  ), event as (
    insert into events (account_id, type, data) select account_id, 'scan', data from told returning id, account_id, created_at
  )
  insert into webhook_deliveries (event_id, webhook_id, created_at)
  select e.id, w, e.created_at from event e cross join lateral webhooks_told(e.account_id, 'scan', null) as w;
end
$$;

-- Takes at most p_max deliveries that are due, of the webhook that was served least recently and has room for more, and leases
-- them. A webhook has p_at_once deliveries under way, of all gateways; while it fails one, which is the one that became due last,
-- so that deliveries that always fail do not hold up others. Those of p_busy accounts are left.
--
-- The recursion reads one index entry per webhook with waiting deliveries, however many those are. Each statement sees what was
-- committed before it, so what is under way is counted anew after the lock.
create function take_deliveries(p_busy uuid[], p_max integer, p_at_once integer, p_lease interval)
returns setof webhook_deliveries language plpgsql volatile as $$
declare
  hook webhooks;
  room integer;
begin
  loop
    with recursive waiting (id) as (
      (select d.webhook_id from webhook_deliveries d where d.state = 'waiting' order by d.webhook_id limit 1)
      union all
      select (
        select d.webhook_id from webhook_deliveries d
        where d.state = 'waiting' and d.webhook_id > w.id order by d.webhook_id limit 1)
      from waiting w where w.id is not null
    )
    select h.* into hook from waiting join webhooks h using (id)
    where h.state = 'on' and h.paused_until <= now() and h.account_id <> all (p_busy)
      and exists (
        select from webhook_deliveries d where d.webhook_id = h.id and d.state = 'waiting' and d.next_at <= now()
          and (d.leased_until is null or d.leased_until <= now()))
      and (select count(*) from webhook_deliveries d where d.webhook_id = h.id and d.leased_until > now())
        < case when h.failures = 0 then p_at_once else 1 end
    order by h.served_at limit 1 for no key update of h skip locked;
    exit when not found;
    select least(p_max, case when hook.failures = 0 then p_at_once else 1 end - count(*)) into room
    from webhook_deliveries d where d.webhook_id = hook.id and d.leased_until > now();
    continue when room <= 0;
    update webhooks set served_at = now() where id = hook.id;
    return query
    with due as (
      (select d.event_id from webhook_deliveries d
        where hook.failures = 0 and d.webhook_id = hook.id and d.state = 'waiting' and d.next_at <= now()
          and (d.leased_until is null or d.leased_until <= now())
        order by d.next_at limit room)
      union all
      (select d.event_id from webhook_deliveries d
        where hook.failures > 0 and d.webhook_id = hook.id and d.state = 'waiting' and d.next_at <= now()
          and (d.leased_until is null or d.leased_until <= now())
        order by d.next_at desc limit 1)
    )
    update webhook_deliveries d set tries = d.tries + 1, tried_at = now(), leased_until = now() + p_lease
    from due where d.webhook_id = hook.id and d.event_id = due.event_id
    returning d.*;
    exit when found;
  end loop;
end
$$;

-- Who counts scans may have no right to read webhooks, and none to write events (deploy/postgres/redirect-role.sql), so these
-- triggers run with the rights of their owner. A fixed search path keeps them from tables that the other role has made.
do $$
declare
  name text;
begin
  foreach name in array array['tell_first_scan', 'tell_limit_reached', 'note_scans_to_tell'] loop
    execute format('alter function %I() security definer set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;
