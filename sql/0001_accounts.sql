-- Accounts, their API keys and the sessions of the dashboard.
--
-- Times have whole milliseconds, timestamptz(3), as JavaScript's Date has. So a time that comes back in a page cursor
-- compares equal.

create table accounts (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 200),
  plan text not null check (plan in ('free', 'pro')),
  -- Null: the plan's quota. The bound is JavaScript's largest exact integer.
  monthly_quota bigint check (monthly_quota between 0 and 9007199254740991),
  -- The address to which the account's short links redirect that are deleted or lead nowhere at a time, as
  -- `checkDestination` writes it; null: none.
  dead_link_url text check (octet_length(dead_link_url) between 1 and 65536),
  -- The own domain of its short links (0014_domains.sql); null: the one that all accounts share.
  default_domain_id uuid,
  -- What visits of links that say nothing themselves pass on: `Forward` of src/db/tables/links.ts; null: nothing.
  forward jsonb check (octet_length(forward::text) <= 16384),
  -- For how long browsers may repeat a redirect of its short links without asking; 0: not at all.
  redirect_max_age_s integer not null default 0 check (redirect_max_age_s between 0 and 86400),
  created_at timestamptz(3) not null default now()
);

create index accounts_by_age on accounts (created_at, id);
create index accounts_by_name on accounts (lower(name), id);

-- Returns the parts of a name in lower case that have some to three characters, or the whole name if that is shorter. A name
-- that lacks a part of a search cannot include it. The declared cost keeps the planner from computing parts row by row.
create function name_parts(name text, shortest integer) returns text[] language sql immutable strict parallel safe cost 100
return (
  select array_agg(distinct substr(lower(name), first, length))
  from generate_series(1, char_length(lower(name))) as first,
    generate_series(least(shortest, char_length(lower(name))), 3) as length
  where first + length - 1 <= char_length(lower(name))
);

create index accounts_by_name_parts on accounts using gin (name_parts(name, 1)) with (gin_pending_list_limit = 1024);
-- No plan depends on which parts are frequent.
alter index accounts_by_name_parts alter column 1 set statistics 0;

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  name text not null check (char_length(name) between 1 and 200),
  -- The first characters of the key, to tell keys apart on a screen.
  prefix text not null check (char_length(prefix) between 1 and 32),
  -- SHA-256 of the whole key. The key itself is stored nowhere.
  hash bytea not null unique check (octet_length(hash) = 32),
  scopes text[] not null check (scopes <@ array['generate', 'render', 'manage'] and cardinality(scopes) between 1 and 3),
  -- Requests a second of this key; null: only the account's limit applies.
  rate_limit_per_second integer check (rate_limit_per_second >= 1),
  -- The key is refused from this moment on; null: never.
  expires_at timestamptz(3),
  -- Units that the key may use in a month, within those of its account; null: as many as those.
  monthly_quota bigint check (monthly_quota between 0 and 9007199254740991),
  -- The key only tries out: what it makes is marked, and neither paid nor saved.
  is_sandbox boolean not null default false,
  -- Its calls may be marked as those of a load test, by the header Tessera-Load-Test. It never changes.
  load_tests boolean not null default false,
  -- The keys whose bounds it shares, because they made it: its maker, the maker of that, and so on. What it uses counts for
  -- each of them, also once they are revoked. It never changes.
  makers uuid[] not null default '{}' check (cardinality(makers) <= 8),
  -- The key that was made in its place; null: none was. It may outlive that one.
  replaced_by uuid,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  check (not is_sandbox or (monthly_quota is null and not 'manage' = any (scopes)))
);

-- The addresses to which an account's dead links have led, from the first one on, which is none. While an account has too
-- much history (history_sizes), older entries of what it changes are removed, here and in the other histories.
create table dead_link_history (
  id bigint generated always as identity primary key,
  account_id uuid not null references accounts (id),
  dead_link_url text check (octet_length(dead_link_url) between 1 and 65536),
  -- The API key that made the change; null for the operator.
  key_id uuid references api_keys (id),
  at timestamptz(3) not null default now()
);

create index dead_link_history_of_account on dead_link_history (account_id, id);
create index dead_link_history_of_key on dead_link_history (key_id) where key_id is not null;

-- How long the histories of an account are together: of dead links, links and items of the resolver. Triggers of these
-- tables count texts, and 100 bytes for the rest of a row.
create table history_sizes (
  account_id uuid primary key references accounts (id),
  bytes bigint not null
);

create function count_history(account uuid, added bigint) returns void language sql as $$
  insert into history_sizes (account_id, bytes) values (account, added)
  on conflict (account_id) do update set bytes = history_sizes.bytes + excluded.bytes
$$;

create function count_dead_link_history() returns trigger language plpgsql as $$
begin
  perform count_history(account_id, sum(octet_length(coalesce(dead_link_url, '')) + 100)
    * case tg_op when 'INSERT' then 1 else -1 end) from entries group by account_id order by account_id;
  return null;
end
$$;

create trigger dead_link_history_count after insert on dead_link_history
  referencing new table as entries for each statement execute function count_dead_link_history();
create trigger dead_link_history_discount after delete on dead_link_history
  referencing old table as entries for each statement execute function count_dead_link_history();

-- Revoked ones, the oldest of which are removed (src/db/tables/accounts/revoked-keys.ts), and the accounts that lately revoked some.
create index api_keys_revoked on api_keys (account_id, revoked_at, id) where revoked_at is not null;
create index api_keys_by_revocation on api_keys (revoked_at, account_id) where revoked_at is not null;
create index api_keys_of_account on api_keys (account_id, created_at, id) where revoked_at is null;

-- A session has the rights of its key. It is void once the key is revoked.
create table dashboard_sessions (
  id uuid primary key default gen_random_uuid(),
  key_id uuid not null references api_keys (id),
  -- SHA-256 of the token. The token itself is stored nowhere.
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

create index dashboard_sessions_of_key on dashboard_sessions (key_id, created_at, id);
create index dashboard_sessions_by_end on dashboard_sessions (expires_at);

-- A session of the operator's screen. It is void once `ADMIN_TOKEN` is another one.
create table operator_sessions (
  -- HMAC-SHA-256 of the session's token under the admin token. Neither is stored.
  hash bytea primary key check (octet_length(hash) = 32),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

-- What calls with an `Idempotency-Key` have changed, with their answers, none of which has a secret. Kept for a day.
create table idempotent_answers (
  account_id uuid not null references accounts (id),
  route text not null,
  key text not null check (octet_length(key) between 1 and 255),
  -- SHA-256 of the path, the body, and the headers that decide what is done.
  request_sha256 bytea not null check (octet_length(request_sha256) = 32),
  -- JSON: body and headers. Of an answer with a picture only the id, so that none is long.
  answer text not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, route, key)
);

create index idempotent_answers_by_age on idempotent_answers (created_at);
