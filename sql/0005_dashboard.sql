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

-- What is deleted stays in the bin for a while (src/db/bin.ts). A folder takes its codes along without a mark on
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
