-- Folders, saved codes, their designs and logos, the short links of dynamic codes, and the bin for what was deleted.
--
-- Every row names its account, and foreign keys include it, so that no row can refer to another account's row.

create table folders (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  -- The application stores names trimmed and in Unicode NFC.
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz(3) not null default now(),
  -- The own domain of short links that are made in it (0014_domains.sql); null: it says nothing.
  domain_id uuid,
  -- Whether its codes stay when they are older than CODE_RETENTION_MONTHS.
  keep boolean not null default false,
  -- Not null: in the bin (src/db/tables/bin.ts). The codes of a deleted folder have no mark of their own, so deleting
  -- and restoring a folder cost the same whatever is in it.
  deleted_at timestamptz(3),
  unique (account_id, id)
);

-- A name is unique among the folders outside the bin.
create unique index folders_by_name on folders (account_id, name) where deleted_at is null;
create index folders_by_age on folders (account_id, created_at, id) where deleted_at is null;
-- For the retention of codes, which goes through them.
create index folders_not_kept on folders (id) where deleted_at is null and not keep;

-- Logos, which the gateway has decoded and written again as PNG. Each content is stored once for an account.
create table logos (
  account_id uuid not null references accounts (id),
  sha256 bytea not null check (octet_length(sha256) = 32),
  png bytea not null check (octet_length(png) between 1 and 33554432),
  -- The natural size, from which the logo is placed. That of an SVG is in user units, so it may have fractions and
  -- exceed the pixels of the PNG.
  width_px double precision not null check (width_px > 0 and width_px <= 100000),
  height_px double precision not null check (height_px > 0 and height_px <= 100000),
  -- `LogoVector` of workers/protocol.ts; null for a logo that is a bitmap.
  vector jsonb check (jsonb_typeof(vector) = 'object' and octet_length(vector::text) <= 262144),
  primary key (account_id, sha256)
);

-- A PNG is already compressed, so Postgres need not compress it.
alter table logos alter column png set storage external;

-- Designs of codes, with their logos. Each content is stored once for an account: the codes of a batch share one.
create table designs (
  account_id uuid not null,
  id bigint generated always as identity,
  -- SHA-256 of the design and the logo (src/db/tables/codes/designs.ts).
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- `Design` of workers/protocol.ts.
  design jsonb not null check (jsonb_typeof(design) = 'object' and octet_length(design::text) <= 65536),
  logo_sha256 bytea,
  primary key (account_id, id),
  -- In this order, so that no look-up by id takes it instead of the primary key and reads all designs of the account.
  unique (sha256, account_id),
  foreign key (account_id, logo_sha256) references logos (account_id, sha256)
);

create index designs_of_logo on designs (account_id, logo_sha256) where logo_sha256 is not null;

create table links (
  -- The slug that the link was made with. It leads to the link for ever, and scans are kept under it. It is never used
  -- again, because a deleted link keeps its row.
  slug text primary key check (slug ~ '^[0-9A-Za-z]{1,32}$'),
  -- The slug that the link's code encodes, when its account chose one.
  own_slug text,
  -- The own domain of its account at which its code's short link is (0014_domains.sql); null: the domain that all accounts
  -- share. It never changes, because it is printed.
  domain_id uuid,
  account_id uuid not null references accounts (id),
  destination text not null check (octet_length(destination) between 1 and 65536),
  -- The link leads to its destination from active_from until just before active_until; null: no such limit. Before and
  -- after, it leads to these addresses; null: as a deleted link.
  active_from timestamptz(3),
  active_until timestamptz(3),
  before_destination text check (octet_length(before_destination) between 1 and 65536),
  after_destination text check (octet_length(after_destination) between 1 and 65536),
  -- `Rule` of src/db/tables/rules/rule.ts, in order. `json` keeps them as they were written, so that their version stays.
  rules json check (json_typeof(rules) = 'array' and octet_length(rules::text) <= 65536),
  -- Rules that many links share (0015_rules.sql); they come after its own.
  rule_set_id uuid,
  -- How many people it leads to its destination; null: any number. After that it is as after its end.
  visit_limit integer check (visit_limit > 0),
  -- `hashPassword` of src/links/password.ts; null: it needs none.
  password_hash text check (octet_length(password_hash) between 1 and 200),
  -- `Forward` of src/db/tables/links.ts; null: that of the account.
  forward jsonb check (octet_length(forward::text) <= 16384),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- The API key that made it; null for the operator.
  key_id uuid references api_keys (id),
  -- The scans that were counted elsewhere before the link was imported.
  imported_scans bigint not null default 0 check (imported_scans >= 0),
  check (active_from < active_until)
);

-- For lists of links: by their last change, and by what few of them have. Most links are in none of these.
create index links_by_change on links (account_id, updated_at, slug) where updated_at > created_at and deleted_at is null;
create index links_with_rules on links (account_id) where rules is not null or rule_set_id is not null;
create index links_with_bounds on links (account_id)
  where active_from is not null or active_until is not null or visit_limit is not null;

-- Most links of a key share it, so an entry takes some 7 bytes.
create index links_of_key on links (key_id) where key_id is not null;

-- How many links an account has imported, those deleted since included.
create table imported_links (
  account_id uuid primary key references accounts (id),
  links bigint not null
);

-- Every slug that an account chose for a link. It leads to that link for ever, on the domain of the link.
create table own_slugs (
  slug text not null check (slug ~ '^[0-9A-Za-z][0-9A-Za-z_-]{1,62}[0-9A-Za-z]$'),
  link_slug text not null references links (slug),
  -- That of the link.
  domain_id uuid,
  -- What the slug looks like (src/links/slug.ts), so that no other link of the shared domain has a slug that people take
  -- for it. Null: another slug of the same link has this look, or the domain is the account's own.
  skeleton text unique check (char_length(skeleton) between 1 and 64),
  created_at timestamptz(3) not null default now(),
  primary key (link_slug, slug),
  unique nulls not distinct (slug, domain_id),
  check (domain_id is null or skeleton is null)
);

alter table links add foreign key (slug, own_slug) references own_slugs (link_slug, slug);

-- The destinations that an edited link has had, with its times, addresses and slug, from the first one on. Most links are
-- never edited; they have no rows here, because `links` says all of them.
create table link_history (
  id bigint generated always as identity primary key,
  slug text not null references links (slug),
  destination text not null check (octet_length(destination) between 1 and 65536),
  active_from timestamptz(3),
  active_until timestamptz(3),
  before_destination text,
  after_destination text,
  rules json,
  -- It may be deleted by now.
  rule_set_id uuid,
  visit_limit integer,
  password_hash text,
  forward jsonb,
  -- As in `links`.
  own_slug text,
  -- What links that were changed together have in common; null: the link was changed alone.
  change_id uuid,
  -- The API key that made the change; null for the operator.
  key_id uuid references api_keys (id),
  at timestamptz(3) not null default now()
);

create index link_history_of_key on link_history (key_id) where key_id is not null;
create index link_history_of_link on link_history (slug, id);
create index link_history_of_change on link_history (change_id) where change_id is not null;

-- A session plans a function once, maybe while a table is still small, when reading all of it would be quicker than look-ups.
-- So triggers find what large tables have row by row: with `offset 0`, a subquery stays a look-up of each row.
create function count_link_history() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  perform count_history(l.account_id, sum(octet_length(e.destination) + octet_length(coalesce(e.before_destination, ''))
    + octet_length(coalesce(e.after_destination, '')) + octet_length(coalesce(e.forward::text, ''))
    + octet_length(coalesce(e.rules::text, '')) + 100) * case tg_op when 'INSERT' then 1 else -1 end)
  from entries e cross join lateral (select account_id from links where links.slug = e.slug offset 0) as l
  group by l.account_id order by l.account_id;
  return null;
end
$$;

create trigger link_history_count after insert on link_history
  referencing new table as entries for each statement execute function count_link_history();
create trigger link_history_discount after delete on link_history
  referencing old table as entries for each statement execute function count_link_history();

-- Returns the id of a code, a version 7 UUID (RFC 9562): the milliseconds of its time, its place among the codes of that
-- time, and 60 random bits. So ids sort codes by age. The time is when the code was saved, or, for the row of a batch, when
-- the batch was queued; 10,000 codes share a millisecond, and further ones have the next.
create function code_id(at timestamptz, place integer) returns uuid language sql volatile as $$
  select (lpad(to_hex((extract(epoch from at::timestamptz(3)) * 1000)::bigint + place / 10000), 12, '0') || '7'
    || lpad(to_hex((place % 10000) >> 2), 3, '0') || to_hex(8 | (place % 10000 & 3))
    || right(translate(gen_random_uuid()::text, '-', ''), 15))::uuid
$$;

-- The time and the place that an id begins with.
create function code_time(id uuid) returns timestamptz language sql immutable strict parallel safe
return to_timestamp(('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 1000.0)::timestamptz(3);

create function code_place(id uuid) returns integer language sql immutable strict parallel safe
return (('x' || substr(id::text, 16, 3))::bit(12)::integer << 2) | (('x' || substr(id::text, 20, 1))::bit(4)::integer & 3);

-- Wide columns stand before narrow ones, which leaves no gaps between them.
create table codes (
  -- As code_id returns it. A code has its place in one of the two unique indexes below, and a primary key would be a third.
  id uuid not null,
  account_id uuid not null,
  folder_id uuid not null,
  design_id bigint not null,
  deleted_at timestamptz(3),
  -- When it was given another design than it was made with; null: never.
  redesigned_at timestamptz(3),
  -- Of the picture when it was made: how well readers read it, and why it has less than 4, as in `Tessera-Warnings`. Without a
  -- grade it has no picture yet, because its link was imported.
  grade smallint check (grade between 0 and 4),
  warnings text not null check (octet_length(warnings) <= 1000),
  -- Of a dynamic code.
  slug text references links (slug),
  -- UTF-8 as bytes, because a text of Postgres cannot hold U+0000. At most 4296 characters of four bytes.
  content bytea not null check (octet_length(content) between 1 and 17184),
  -- What the account calls the code. The application stores names trimmed and in Unicode NFC, and their keys, which sort
  -- them as people do.
  name text check (char_length(name) between 1 and 200),
  name_key text collate "C" check (char_length(name_key) <= 200),
  -- The beginning of where the short link leads at present, when that is not what the content says. Searches find it here;
  -- a trigger of links keeps it (0006_search.sql).
  leads_to text check (char_length(leads_to) between 1 and 300),
  -- The slugs that the account has chosen for the short link, the earlier ones too, with spaces between them. Searches
  -- find them here; a trigger of own_slugs keeps it.
  own_slugs text check (octet_length(own_slugs) between 1 and 1000),
  -- The id that the account has for it in a system of its own; not unique.
  external_id text check (char_length(external_id) between 1 and 200),
  -- In the order in which the account wrote them, each once; null: none.
  tags text[] check (cardinality(tags) between 1 and 20),
  check ((name is null) = (name_key is null)),
  foreign key (account_id, folder_id) references folders (account_id, id) on delete cascade,
  foreign key (account_id, design_id) references designs (account_id, id)
);

-- Live codes by account and by folder, oldest first. They grow at their ends, so their pages are filled.
create unique index codes_live on codes (account_id, id) with (fillfactor = 100) where deleted_at is null;
create index codes_of_folder on codes (folder_id, id) with (fillfactor = 100) where deleted_at is null;
-- With those in the bin. Equal keys are stored once, so each takes some 7 bytes a code.
create index codes_of_any_folder on codes (folder_id);
create index codes_of_design on codes (design_id);
-- Few codes are given another design.
create index codes_redesigned on codes (account_id, id) where redesigned_at is not null;
-- For lists of codes that are not read well, those of each grade oldest first. Most codes have grade 4 and are not in it.
create index codes_below_best on codes (account_id, grade, id) where deleted_at is null and grade < 4;
-- Lists by name. Codes without one are in neither.
create index codes_by_name on codes (account_id, name_key, id) where deleted_at is null and name_key is not null;
create index codes_of_folder_by_name on codes (folder_id, name_key, id)
  where deleted_at is null and name_key is not null;
-- What one id of another system means: few codes, the newest of which are asked for.
create index codes_by_external_id on codes (account_id, external_id, id)
  where deleted_at is null and external_id is not null;
-- What codes are found by under a tag. The account is part of it, so that its lists read nothing of other accounts.
create function tag_keys(account_id uuid, tags text[]) returns text[] language sql immutable strict parallel safe
return (select array_agg(account_id::text || ' ' || tag) from unnest(tags) as tag);

create index codes_by_tag on codes using gin (tag_keys(account_id, tags)) with (gin_pending_list_limit = 1024)
  where deleted_at is null and tags is not null;
-- Returns tags of a code after others were added behind them, and some removed; null: none.
create function retagged(tags text[], added text[], removed text[]) returns text[] language sql immutable parallel safe
return (
  select array_agg(tag order by place) from (
    select tag, min(place) as place
    from unnest(coalesce(tags, '{}') || added) with ordinality as wanted (tag, place)
    where tag <> all (removed) group by tag
  ) as kept
);

create unique index codes_of_link on codes (slug) where slug is not null;

-- What a content is looked up by: eight bytes, because contents may be too long for an index.
create function content_key(content bytea) returns bytea language sql immutable strict parallel safe
return substr(sha256(content), 1, 8);

-- What was read in a print (src/verify/scan-check.ts). Symbols of short links hold their slugs.
create index codes_by_content on codes (folder_id, content_key(content), id) where deleted_at is null and slug is null;
create index codes_with_link on codes (account_id, id) where slug is not null and deleted_at is null;

-- The links of codes are deleted with the codes, whether those are purged alone or with their folder. What is left of a link
-- is its slug, which may be in print and is never used again, and its account, to whose address for dead links it leads.
create function end_links_of_codes() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  slugs text[] := array(select slug from gone where slug is not null);
begin
  if slugs = '{}' then
    return null;
  end if;
  update links set destination = '-', active_from = null, active_until = null, before_destination = null,
    after_destination = null, forward = null, rules = null, rule_set_id = null, visit_limit = null, password_hash = null,
    key_id = null, deleted_at = coalesce(deleted_at, now()), updated_at = now()
  where slug = any(slugs);
  delete from link_history where slug = any(slugs);
  with scanned as (
    delete from scan_totals where slug = any(slugs) returning slug
  )
  insert into gone_scans (slug, account_id)
  select slug, account_id from scanned
  cross join lateral (select account_id from links where links.slug = scanned.slug offset 0) as l;
  delete from scan_ranks where slug = any(slugs);
  return null;
end
$$;

create trigger codes_end_links after delete on codes
  referencing old table as gone for each statement execute function end_links_of_codes();

-- The bin of one account in the order of its list, and of all accounts in the order of the purge.
create index folders_in_bin on folders (account_id, deleted_at, id) where deleted_at is not null;
create index folders_to_purge on folders (deleted_at) where deleted_at is not null;
create unique index codes_binned on codes (account_id, id) where deleted_at is not null;
create index codes_in_bin on codes (account_id, deleted_at, id) where deleted_at is not null;
create index codes_to_purge on codes (deleted_at) where deleted_at is not null;

-- How far the retention of codes has come in its walk through all folders (src/db/tables/retention.ts).
create table code_retention (
  is_only boolean primary key default true check (is_only),
  folder_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- The last code of the folder that it has looked at; null: all of them.
  after_id uuid default '00000000-0000-0000-0000-000000000000'
);

insert into code_retention default values;

-- How many codes outside the bin a folder has, and how many of them are dynamic: the sums of its rows. Each session writes
-- the rows of a slot of its own, so that saves into one folder seldom wait for each other, and a row may be negative.
create table folder_counts (
  folder_id uuid not null references folders (id) on delete cascade,
  slot smallint not null check (slot between 0 and 15),
  codes bigint not null,
  links bigint not null,
  primary key (folder_id, slot)
-- Rows are updated with each save; room in their pages keeps the new versions there.
) with (fillfactor = 50);

-- Adds codes of folders to the counts; both arrays say how many for each folder. The rows are written in one order, which
-- avoids deadlocks. A folder that is being purged takes its counts with it.
create function add_folder_counts(folder_ids uuid[], codes bigint[], links bigint[]) returns void
language sql volatile as $$
  insert into folder_counts as c (folder_id, slot, codes, links)
  select n.folder_id, pg_backend_pid() % 16, n.codes, n.links
  from unnest(folder_ids, codes, links) as n (folder_id, codes, links)
  where (n.codes <> 0 or n.links <> 0) and exists (select from folders f where f.id = n.folder_id)
  order by 1
  on conflict (folder_id, slot) do update set codes = c.codes + excluded.codes, links = c.links + excluded.links
$$;

-- Every statement that changes codes also changes the counts.
create function count_new_codes() returns trigger language plpgsql as $$
begin
  perform add_folder_counts(array_agg(folder_id), array_agg(codes), array_agg(links)) from (
    select folder_id, count(*) as codes, count(slug) as links from come where deleted_at is null group by 1
  ) as n having count(*) > 0;
  return null;
end
$$;

create function count_gone_codes() returns trigger language plpgsql as $$
begin
  perform add_folder_counts(array_agg(folder_id), array_agg(codes), array_agg(links)) from (
    select folder_id, -count(*) as codes, -count(slug) as links from gone where deleted_at is null group by 1
  ) as n having count(*) > 0;
  return null;
end
$$;

create function count_moved_codes() returns trigger language plpgsql as $$
begin
  perform add_folder_counts(array_agg(folder_id), array_agg(codes), array_agg(links)) from (
    select folder_id, sum(codes)::bigint as codes, sum(links)::bigint as links from (
      select folder_id, 1 as codes, (slug is not null)::int as links from come where deleted_at is null
      union all select folder_id, -1, -(slug is not null)::int from gone where deleted_at is null
    ) as moved group by 1 having sum(codes) <> 0 or sum(links) <> 0
  ) as n having count(*) > 0;
  return null;
end
$$;

create trigger codes_count_new after insert on codes
  referencing new table as come for each statement execute function count_new_codes();
create trigger codes_count_gone after delete on codes
  referencing old table as gone for each statement execute function count_gone_codes();
create trigger codes_count_moved after update on codes
  referencing old table as gone new table as come for each statement execute function count_moved_codes();

-- Codes that are not in the bin and whose folder is not in the bin.
create view live_codes as
  select c.* from codes c join folders f on f.id = c.folder_id
  where c.deleted_at is null and f.deleted_at is null;

create view live_links as
  select l.*, c.id as code_id, c.folder_id, c.name, c.external_id, coalesce(c.tags, '{}') as tags
  from links l join live_codes c on c.slug = l.slug
  where l.deleted_at is null;
