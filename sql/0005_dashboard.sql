-- What the dashboard needs: its sessions, the bin for what was deleted, and indexes for what it searches and sums.

-- A session speaks for its key, and ends with it.
create table dashboard_sessions (
  id uuid primary key default gen_random_uuid(),
  key_id uuid not null references api_keys (id),
  -- SHA-256 of the token, which is kept nowhere.
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);

create index dashboard_sessions_of_key on dashboard_sessions (key_id, created_at, id);
create index dashboard_sessions_by_end on dashboard_sessions (expires_at);

-- What is deleted stays in the bin for a while (src/db/tables/bin.ts). A folder takes its codes along without a mark on
-- each of them, so that deleting it and bringing it back cost the same whatever is in it.
alter table folders add column deleted_at timestamptz(3);
alter table codes add column deleted_at timestamptz(3);

-- A name is taken by a folder that is there.
alter table folders drop constraint folders_account_id_name_key;
create unique index folders_by_name on folders (account_id, name) where deleted_at is null;

drop index folders_by_age;
create index folders_by_age on folders (account_id, created_at, id) where deleted_at is null;
drop index codes_of_folder;
create index codes_of_folder on codes (folder_id, created_at, position, id) include (deleted_at);

create index codes_by_age on codes (account_id, created_at, position, id) where deleted_at is null;
create index codes_with_link on codes (account_id) include (slug, folder_id)
  where slug is not null and deleted_at is null;

-- The bin of an account in the order in which it is shown, and of all accounts in the order in which it is emptied.
create index folders_in_bin on folders (account_id, deleted_at, id) where deleted_at is not null;
create index folders_to_purge on folders (deleted_at) where deleted_at is not null;
create index codes_in_bin on codes (account_id, deleted_at, id) where deleted_at is not null;
create index codes_to_purge on codes (deleted_at) where deleted_at is not null;

-- What is neither in the bin itself nor in a folder that is.
create view live_codes as
  select c.* from codes c join folders f on f.id = c.folder_id
  where c.deleted_at is null and f.deleted_at is null;

create view live_links as
  select l.* from links l join live_codes c on c.slug = l.slug
  where l.deleted_at is null;

-- The text of a code for a search. A text of Postgres can't hold U+0000, so it becomes a space: written as bytes
-- with escapes, a backslash first gets an escape of the same form as all others.
create function searchable(content bytea) returns text language sql immutable strict parallel safe as $$
  select convert_from(
    case when position('\x00'::bytea in content) = 0 then content
    else decode(replace(replace(encode(content, 'escape'), '\\', '\134'), '\000', ' '), 'escape') end,
    'UTF8')
$$;

-- Every three bytes in a row of a text in small letters, each below the first 32 bits of its account's id. A text that
-- lacks one of a search's grams can't have the search in it. The grams are bytes and not characters, so that none is a
-- hash. The account is in them, so that its searches read nothing of others. The index on them needs no extension, and
-- writing it costs what one of pg_trgm does. The cost keeps the planner from computing them row by row.
create function search_grams(account_id uuid, content text) returns bigint[]
language plpgsql immutable strict parallel safe cost 10000 as $$
declare
  bytes bytea := convert_to(lower(content), 'UTF8');
  account bigint := ('x' || left(account_id::text, 8))::bit(32)::bigint << 24;
begin
  return array(
    select account | (get_byte(bytes, i) << 16) | (get_byte(bytes, i + 1) << 8) | get_byte(bytes, i + 2)
    from generate_series(0, octet_length(bytes) - 3) as i);
end
$$;

-- A search reads all that waits to be sorted in, so only 1 MB may.
create index codes_by_grams on codes using gin (search_grams(account_id, searchable(content)))
  with (gin_pending_list_limit = 1024) where deleted_at is null;
-- No query is planned by which grams are frequent, and counting them would take minutes.
alter index codes_by_grams alter column 1 set statistics 0;
