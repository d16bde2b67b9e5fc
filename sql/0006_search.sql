-- Search in the text of saved codes.

-- The content of a code as a text for searches. A text of Postgres cannot hold U+0000, so that becomes a space. For
-- this the bytes are written with escapes, where a backslash first gets an octal escape like all other bytes.
create function searchable(content bytea) returns text language sql immutable strict parallel safe as $$
  select convert_from(
    case when position('\x00'::bytea in content) = 0 then content
    else decode(replace(replace(encode(content, 'escape'), '\\', '\134'), '\000', ' '), 'escape') end,
    'UTF8')
$$;

-- The grams of a text: every three consecutive bytes of it in lower case, with the first 32 bits of the account's id in
-- front. A text that lacks a gram of a search cannot include the search. Grams have bytes and not characters, so none
-- has to be hashed. They have the account, so its searches read nothing of other accounts. An index on them needs no
-- extension, and costs as much to write as one of pg_trgm. The declared cost keeps the planner from computing grams
-- row by row.
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

-- Every search reads the whole pending list of the index, so that has at most 1 MB.
create index codes_by_grams on codes using gin (search_grams(account_id, searchable(content)))
  with (gin_pending_list_limit = 1024) where deleted_at is null;
-- No plan depends on which grams are frequent, and counting them would take minutes.
alter index codes_by_grams alter column 1 set statistics 0;
