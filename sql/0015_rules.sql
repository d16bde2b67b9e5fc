-- Rule sets: rules by name that many short links share.

create table rule_sets (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  -- The application stores names trimmed and in Unicode NFC.
  name text not null check (char_length(name) between 1 and 200),
  -- `Rule` of src/db/tables/rules/rule.ts, in order, as they were written.
  rules json not null check (json_typeof(rules) = 'array' and octet_length(rules::text) <= 65536),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (account_id, name),
  unique (account_id, id)
);

create index rule_sets_by_age on rule_sets (account_id, created_at, id);

alter table links add foreign key (account_id, rule_set_id) references rule_sets (account_id, id);
create index links_of_rule_set on links (rule_set_id) where rule_set_id is not null;

-- The names and rules that a set has had, from the first ones on.
create table rule_set_history (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  rule_set_id uuid not null references rule_sets (id) on delete cascade,
  name text not null,
  rules json not null,
  -- No sets are changed together; the histories have one shape.
  change_id uuid,
  -- The API key that made the change.
  key_id uuid references api_keys (id),
  at timestamptz(3) not null default now()
);

create index rule_set_history_of_key on rule_set_history (key_id) where key_id is not null;
create index rule_set_history_of_set on rule_set_history (rule_set_id, id);

create function count_rule_set_history() returns trigger language plpgsql as $$
begin
  perform count_history(account_id, sum(octet_length(rules::text) + 100)
    * case tg_op when 'INSERT' then 1 else -1 end) from entries group by account_id order by account_id;
  return null;
end
$$;

create trigger rule_set_history_count after insert on rule_set_history
  referencing new table as entries for each statement execute function count_rule_set_history();
create trigger rule_set_history_discount after delete on rule_set_history
  referencing old table as entries for each statement execute function count_rule_set_history();

insert into history_retention (history) values ('rule_set_history');
