-- Search in the text of saved codes.

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
