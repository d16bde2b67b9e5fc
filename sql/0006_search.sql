-- Search in the texts of saved codes: content, name, the account's own id, tags, the slugs that were chosen, and where the
-- short link leads at present. A slug that was generated is found only as a whole, by its own index: as random text it
-- would cost more grams to write than the rest of many a code.

-- Returns the content of a code as a text for searches. A text of Postgres cannot hold U+0000, so that becomes a space:
-- the bytes are written with escapes, and `\000` is replaced. A backslash of the content gets an octal escape first, so
-- that it is not taken for the beginning of one.
create function searchable(content bytea) returns text language sql immutable strict parallel safe as $$
  select convert_from(
    case when position('\x00'::bytea in content) = 0 then content
    else decode(replace(replace(encode(content, 'escape'), '\\', '\134'), '\000', ' '), 'escape') end,
    'UTF8')
$$;

-- Returns the grams of a text: every three consecutive bytes of it in lower case, with the first 32 bits of the
-- account's id in front. A text that lacks a gram of a search cannot include the search. Grams consist of bytes and not
-- of characters, so none has to be hashed. They include the account, so its searches read nothing of other accounts. An
-- index on grams needs no extension, and costs as much to write as one of pg_trgm. The declared cost keeps the planner
-- from computing grams row by row.
create function search_grams(account_id uuid, content text) returns bigint[]
language plpgsql immutable strict parallel safe cost 10000 as $$
declare
  bytes bytea := convert_to(lower(content), 'UTF8');
  account bigint := ('x' || left(account_id::text, 8))::bit(32)::bigint << 24;
  gram bigint := 0;
  grams bigint[] := '{}';
begin
  -- A loop takes half as long as a query over the places of the text.
  for i in 0 .. least(1, octet_length(bytes) - 1) loop
    gram := gram << 8 | get_byte(bytes, i);
  end loop;
  for i in 2 .. octet_length(bytes) - 1 loop
    gram := (gram & 65535) << 8 | get_byte(bytes, i);
    grams := grams || (account | gram);
  end loop;
  return grams;
end
$$;

create function joined_tags(tags text[]) returns text language sql immutable strict parallel safe
return (select string_agg(tag, ' ') from unnest(tags) as tag);

-- Returns all that a code is found by in part. A text that only spans two of the parts is no match, which the search checks.
-- A body that is parsed here finds `searchable` when an index is built, too, which Postgres does with another search path.
create function code_text(content bytea, name text, leads_to text, own_slugs text, external_id text, tags text[])
returns text language sql immutable parallel safe
return searchable(content) || coalesce(' ' || name, '') || coalesce(' ' || leads_to, '')
  || coalesce(' ' || own_slugs, '') || coalesce(' ' || external_id, '') || coalesce(' ' || joined_tags(tags), '');

-- Returns what codes.leads_to holds of a destination. Every character of it is up to three grams in the index, and a call
-- changes a thousand links: 4,290 characters of each would write 100 MB.
create function code_leads_to(destination text, content bytea) returns text language sql immutable parallel safe
return left(nullif(destination, searchable(content)), 300);

-- Keeps codes.leads_to, whoever edits links.
create function note_where_codes_lead() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  link record;
begin
  for link in select slug, l.destination from come l join gone o using (slug) where l.destination <> o.destination loop
    update codes c set leads_to = code_leads_to(link.destination, c.content)
    where c.slug = link.slug and c.leads_to is distinct from code_leads_to(link.destination, c.content);
  end loop;
  return null;
end
$$;

create trigger links_note_where_codes_lead after update on links
  referencing old table as gone new table as come for each statement execute function note_where_codes_lead();

-- Keeps codes.own_slugs, whoever chooses a slug. A code that is saved with one has it already.
create function note_own_slugs() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  chosen record;
begin
  for chosen in
    select come.link_slug, string_agg(come.slug, ' ' order by come.created_at, come.slug) as slugs
    from come cross join lateral (select own_slugs from codes where codes.slug = come.link_slug offset 0) as code
    where come.slug <> all (string_to_array(coalesce(code.own_slugs, ''), ' '))
    group by come.link_slug
  loop
    update codes set own_slugs = concat_ws(' ', own_slugs, chosen.slugs) where slug = chosen.link_slug;
  end loop;
  return null;
end
$$;

create trigger own_slugs_note after insert on own_slugs
  referencing new table as come for each statement execute function note_own_slugs();

-- Every search reads the whole pending list of the index, so that has at most 1 MB.
create index codes_by_grams on codes
  using gin (search_grams(account_id, code_text(content, name, leads_to, own_slugs, external_id, tags)))
  with (gin_pending_list_limit = 1024) where deleted_at is null;
-- No plan depends on which grams are frequent, and counting them would take minutes.
alter index codes_by_grams alter column 1 set statistics 0;
