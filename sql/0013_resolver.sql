-- The items of the GS1 resolver: what their Digital Link URIs lead to.

-- Primary keys that have items. The account that made the first of them holds the key while it has items for it.
create table resolver_keys (
  -- The path of the primary key's URI, such as /01/09521321000018.
  path text collate "C" primary key check (octet_length(path) between 5 and 200),
  account_id uuid not null references accounts (id),
  -- Which qualifiers items of the key have or had, such as '10' or '22,10'; '' stands for none. What is not among them
  -- needs no look-up, so unknown serial numbers of a key without such items cost none.
  shapes text[] not null,
  unique (path, account_id)
);

create table resolver_items (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null,
  key_path text collate "C" not null,
  -- The whole path of its URI, such as /01/09521321000018/10/A7, percent-encoded.
  path text collate "C" not null unique check (octet_length(path) between 5 and 400),
  -- The slug under which its scans are kept: `_`, with which no short link's begins, and 42 random bits. It is no number
  -- of a sequence, because an account that made and deleted items would use up the numbers of all accounts.
  slug text not null unique
    default '_' || left(translate(encode(substring(uuid_send(gen_random_uuid()) for 6), 'base64'), '+/', '-_'), 7),
  -- `ItemLink` of src/db/tables/items.ts, in order.
  links jsonb not null check (jsonb_typeof(links) = 'array' and octet_length(links::text) <= 65536),
  -- Whether one of the links is the default. An item without one needs an item of its primary key, which has one.
  has_default boolean generated always as (links @> '[{"isDefault": true}]') stored,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (key_path, account_id) references resolver_keys (path, account_id)
);

create index resolver_items_of_account on resolver_items (account_id, path);
create index resolver_items_of_key on resolver_items (key_path);
create index resolver_items_without_default on resolver_items (key_path) where not has_default;

-- The links that an item has had, from the first ones on.
create table resolver_history (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  item_id uuid not null references resolver_items (id) on delete cascade,
  links jsonb not null,
  -- What items that were changed together have in common; null: the item was changed alone.
  change_id uuid,
  -- The API key that made the change; null for the operator.
  key_id uuid references api_keys (id),
  at timestamptz(3) not null default now()
);

create index resolver_history_of_key on resolver_history (key_id) where key_id is not null;
create index resolver_history_of_item on resolver_history (item_id, id);
create index resolver_history_of_change on resolver_history (change_id) where change_id is not null;

create function count_resolver_history() returns trigger language plpgsql as $$
begin
  perform count_history(account_id, sum(octet_length(links::text) + 100)
    * case tg_op when 'INSERT' then 1 else -1 end) from entries group by account_id order by account_id;
  return null;
end
$$;

create trigger resolver_history_count after insert on resolver_history
  referencing new table as entries for each statement execute function count_resolver_history();
create trigger resolver_history_discount after delete on resolver_history
  referencing old table as entries for each statement execute function count_resolver_history();

-- How far the retention of histories has come in its walks through them (src/db/tables/history-retention.ts).
create table history_retention (
  history text primary key,
  after_id bigint not null default 0
);

insert into history_retention (history) values ('link_history'), ('resolver_history'), ('dead_link_history');
