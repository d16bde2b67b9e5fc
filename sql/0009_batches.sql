-- Batches: jobs of up to a million codes. The rows of a batch are divided into pieces, which any gateway makes; what a piece has
-- made is saved in one transaction, so any gateway can go on where another one stopped. The rows themselves and the
-- pictures are in the batch store (src/storage).

-- The mark that the store has too, by which each gateway knows that its BATCH_STORE is the one of all gateways.
create table batch_store (
  is_only boolean primary key default true check (is_only),
  mark text not null check (length(mark) between 1 and 100)
);

create table batches (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  -- The API key of the call that sent it, or that of the session.
  key_id uuid not null references api_keys (id),
  state text not null default 'receiving' check (state in (
    'receiving', 'validating', 'queued', 'running', 'finishing', 'done', 'failed', 'cancelled', 'expired')),
  -- The state in which it will end, once that is known: no new piece begins then.
  ending text check (ending in ('done', 'failed', 'cancelled', 'expired')),
  -- Why it ends otherwise than as done.
  reason text,
  format text not null check (format in ('csv', 'ndjson', 'xlsx')),
  formats text[] not null,
  on_error text not null check (on_error in ('skip', 'stop')),
  -- The options of the design for all rows, as the caller wrote them.
  design jsonb not null,
  -- The names in its templates that are counters, each with the name of the counter.
  counters jsonb not null default '{}',
  -- By counter, the number of the first row; until it is queued, the one that it would have if nobody else took any.
  first_numbers jsonb not null default '{}',
  -- Its rows were validated again, with its units held, because its numbers had become longer.
  is_rechecked boolean not null default false,
  -- What the call asks of the grade of its codes: rows below it fail, or are repaired first.
  min_grade smallint not null check (min_grade between 0 and 4),
  repair boolean not null,
  -- What is done about rows that repeat an earlier one (src/duplicates/rules.ts), and the column whose values must be unique.
  duplicate_rule text not null default 'refuse-keys' check (duplicate_rule in ('refuse-keys', 'refuse', 'report')),
  unique_column text check (length(unique_column) <= 200),
  -- Where earlier rows are looked for: in the batch, or in all kept batches of the account.
  duplicate_scope text not null default 'batch' check (duplicate_scope in ('batch', 'kept-batches')),
  -- How its manifests are written (ManifestForm of src/lists.ts), and the columns of its file that they carry.
  manifest jsonb not null default '{"use": "spreadsheets", "encoding": "utf-8", "delimiter": "comma"}',
  input_columns text[] not null default '{}' check (cardinality(input_columns) <= 1000),
  -- The folder is made by its name when the batch is queued.
  folder_id uuid,
  folder_name text,
  -- The own domain of its short links (0014_domains.sql); null: the one that all accounts share.
  domain_id uuid,
  -- Slugs are an HMAC of the row under it.
  secret bytea not null check (octet_length(secret) = 32),
  lifetime_s integer not null check (lifetime_s > 0),
  -- The webhook that is told of its end, whatever it subscribes to.
  webhook_id uuid,
  idempotency_key text,
  -- The trace of the call that sent it: its traceparent, a space and its tracestate.
  trace text check (length(trace) <= 600),
  -- SHA-256 of the request, hexadecimal; null until it is received.
  request_sha256 text,
  rows integer not null default 0 check (rows between 0 and 1000000),
  -- The encoding of its file, and the rows that were left out because they have no text: all, and the first ones by their
  -- row in the file.
  encoding text check (length(encoding) <= 40),
  empty_rows integer not null default 0 check (empty_rows >= 0),
  first_empty_rows integer[] not null default '{}',
  -- Of its objects in the batch store.
  bytes bigint not null default 0,
  -- Pieces that are not validated, and pieces that are not made.
  unchecked_pieces integer not null default 0 check (unchecked_pieces >= 0),
  waiting_pieces integer not null default 0 check (waiting_pieces >= 0),
  -- Rows with faults. The first ones are in batch_errors.
  errors integer not null default 0,
  -- Rows that repeat an earlier one. The first ones are in batch_duplicates.
  duplicates integer not null default 0,
  -- Others that repeat a row of another batch.
  kept_duplicates integer not null default 0,
  made integer not null default 0,
  failed integer not null default 0,
  -- Failed rows whose unit goes back, by QUOTA_REFUND.
  refundable integer not null default 0,
  -- Units that went back at the end.
  refunded integer not null default 0,
  -- Codes of grade 0 to 4.
  grades integer[] not null default '{0,0,0,0,0}',
  -- Whose turn it is among the batches of the account: estimated time that it was served, on a clock on which those of the
  -- account begin where the least served of them is.
  served_ms double precision not null default 0,
  -- Estimated time of a render thread: of all rows, and of the pieces that are made.
  estimated_ms double precision not null default 0,
  made_ms double precision not null default 0,
  -- The gateway that receives, admits or finishes it, and until when.
  lessee uuid,
  leased_until timestamptz not null default now(),
  created_at timestamptz(3) not null default now(),
  queued_at timestamptz(3),
  -- The time in the ids of its codes, from which its rows count (src/db/tables/codes/codes.ts); null until it is queued. Those of
  -- an account's batches do not overlap.
  codes_at timestamptz(3),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  -- A batch that has not ended by then expires; the results of one that has are dropped then.
  expires_at timestamptz(3) not null,
  -- Whether input and results are still in the batch store.
  has_files boolean not null default true,
  check ((state in ('done', 'failed', 'cancelled', 'expired')) = (finished_at is not null)),
  check (rows >= made + failed)
-- The row is updated with each piece; room in its page keeps the new versions there.
) with (fillfactor = 50);

create unique index batches_idempotency on batches (account_id, idempotency_key) where idempotency_key is not null;
create index batches_of_key on batches (key_id);
create index batches_of_account on batches (account_id, created_at, id);
create index batches_unfinished on batches (account_id) where finished_at is null;
create index batches_by_end on batches (expires_at);

-- Numbers that the service gives, each once. A transaction that takes some locks the row.
create table counters (
  account_id uuid not null references accounts (id),
  name text not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  -- The next number to be given. It only grows.
  next bigint not null check (next between 0 and 1000000000000000),
  created_at timestamptz(3) not null default now(),
  -- No block since then is missing in counter_blocks.
  complete_since timestamptz(3) not null default now(),
  primary key (account_id, name)
);

-- Numbers that were given. Those of one counter do not overlap.
create table counter_blocks (
  account_id uuid not null,
  counter text not null,
  first bigint not null,
  last bigint not null check (last >= first),
  -- The batch whose rows have them, also after it is forgotten; null: a call took them.
  batch_id uuid,
  -- Rows of the batch, once it has ended. The numbers of all others are in no code.
  made integer,
  failed integer,
  at timestamptz(3) not null default now(),
  primary key (account_id, counter, first),
  foreign key (account_id, counter) references counters (account_id, name)
);

create index counter_blocks_of_batch on counter_blocks (batch_id) where batch_id is not null;

create function counter_only_grows() returns trigger language plpgsql as $$
begin
  if new.next < old.next then raise exception 'a counter must not go back'; end if;
  return new;
end $$;
create trigger counter_only_grows before update on counters for each row execute function counter_only_grows();

-- Before it is validated a piece is a stored object with up to 1000 rows. Validation divides it into pieces of about a
-- second of work, which are ranges of that object.
create table batch_pieces (
  batch_id uuid not null references batches (id) on delete cascade,
  first_row integer not null check (first_row > 0),
  rows integer not null check (rows > 0),
  state text not null default 'unchecked' check (state in ('unchecked', 'waiting', 'made')),
  -- Where its rows are: the first row of the stored object, and a range of it in bytes.
  input integer not null,
  start_byte integer not null,
  end_byte integer not null,
  -- The rows of the file that its rows come from: one for each, or only the first if they follow each other.
  file_rows integer[] not null check (cardinality(file_rows) in (1, rows)),
  estimated_ms double precision not null default 0,
  -- The gateway that works on it, and until when.
  lessee uuid,
  leased_until timestamptz not null default now(),
  -- Times it was begun and not ended, because its gateway was killed; and times it could not be made.
  begun integer not null default 0,
  failures integer not null default 0,
  made_at timestamptz(3),
  -- Its pictures, as a fragment of a ZIP file (src/zip): the name of the stored object, and the lengths of its sections.
  codes integer,
  fragment text,
  files integer,
  entry_bytes bigint,
  manifest_bytes integer,
  directory_bytes integer,
  primary key (batch_id, first_row),
  check ((state = 'made') = (codes is not null))
);

create index batch_pieces_open on batch_pieces (batch_id, first_row) where state <> 'made';

-- Parts whose pieces are all made.
create table batch_parts (
  batch_id uuid not null references batches (id) on delete cascade,
  number integer not null check (number > 0),
  codes integer not null,
  bytes bigint not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- CRC-32 of its manifest.
  manifest_crc bigint not null,
  made_at timestamptz(3) not null default now(),
  primary key (batch_id, number)
);

-- Rows whose files were given out again.
create table batch_reprints (
  id uuid primary key default gen_random_uuid(),
  batch_id uuid not null references batches (id) on delete cascade,
  -- The API key of the call, or that of the session.
  key_id uuid not null references api_keys (id),
  -- The rows that have files, such as `300-420 431`; a long list ends with `...`.
  rows text not null check (length(rows) between 1 and 2100),
  codes integer not null check (codes > 0),
  created_at timestamptz(3) not null default now()
);

create index batch_reprints_of_batch on batch_reprints (batch_id, created_at, id);
create index batch_reprints_of_key on batch_reprints (key_id);

create table batch_errors (
  batch_id uuid not null references batches (id) on delete cascade,
  row integer not null,
  -- The row of the file; null where the fault is of no row.
  file_row integer,
  -- The caller's own name of the row.
  external_id text,
  field text not null,
  message text not null,
  primary key (batch_id, row)
);

-- What tells the rows of a piece apart, for as long as the batch keeps its files: eight bytes of a hash for each row, zeros for a
-- row that has no such thing; null: none has.
create table batch_keys (
  batch_id uuid not null references batches (id) on delete cascade,
  first_row integer not null,
  rows integer not null,
  -- Where its rows are, as in batch_pieces.
  input integer not null,
  start_byte integer not null,
  end_byte integer not null,
  file_rows integer[] not null,
  -- Whether they were compared with each other, when the batch was admitted.
  is_compared boolean not null default false,
  contents bytea check (octet_length(contents) = 8 * rows),
  gs1_keys bytea check (octet_length(gs1_keys) = 8 * rows),
  unique_values bytea check (octet_length(unique_values) = 8 * rows),
  primary key (batch_id, first_row)
);

-- Hashes cannot be compressed.
alter table batch_keys alter column contents set storage external, alter column gs1_keys set storage external,
  alter column unique_values set storage external;

-- Rows that repeat an earlier one.
create table batch_duplicates (
  batch_id uuid not null references batches (id) on delete cascade,
  row integer not null,
  first_row integer not null,
  -- The rows of the file.
  file_row integer not null,
  first_file_row integer not null,
  -- The batch of the earlier row; null: the same.
  first_batch_id uuid,
  -- The caller's own name of the row.
  external_id text,
  kind text not null check (kind in ('value', 'gs1-key', 'content')),
  primary key (batch_id, row)
);

-- Whose turn it is: estimated time that each account has been served, on a clock that only moves forward.
create table batch_turns (
  account_id uuid primary key references accounts (id),
  served_ms double precision not null
);

-- Uploads of batches in chunks. The chunks are objects in the batch store.
create table batch_uploads (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  -- What the call that began it says beside its rows, as JSON. Text keeps the order of the fields, and so the hash of the request.
  terms text not null,
  -- Bytes and chunks that are stored. The next chunk begins at this byte.
  bytes bigint not null default 0,
  chunks integer not null default 0,
  -- The batch that was made of it. It has no chunks any more then.
  batch_id uuid,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- When what is left of it could not be removed: not tried before.
  rests_until timestamptz not null default now()
);

create index batch_uploads_of_account on batch_uploads (account_id, created_at);
create index batch_uploads_by_end on batch_uploads (expires_at);

create table batch_upload_chunks (
  upload_id uuid not null references batch_uploads (id) on delete cascade,
  start_byte bigint not null,
  bytes integer not null check (bytes > 0),
  -- The last segment of its key in the batch store.
  object text not null,
  primary key (upload_id, start_byte)
);
