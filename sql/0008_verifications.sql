-- Verifications: every picture of a folder, or of chosen codes, is drawn and read again, and a signed receipt says what was read. A gateway works
-- on a verification in turns; what it has read is saved in pages, so any gateway can go on where another one stopped.

-- The key pair with which the installation signs receipts. All gateways share it.
create table receipt_key (
  is_only boolean primary key default true check (is_only),
  -- Ed25519, as PKCS #8 in DER.
  private_key bytea not null check (octet_length(private_key) between 1 and 200),
  created_at timestamptz(3) not null default now()
);

create table verifications (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  -- The folder; null when codes were chosen.
  folder_id uuid,
  -- The chosen codes in the order of their ids; null for a folder.
  code_ids uuid[] check (cardinality(code_ids) between 1 and 1000),
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- Codes that there were when it began.
  total integer not null check (total >= 0),
  -- Codes by the result of their reading (src/verify/judge.ts).
  passed integer not null default 0,
  weak integer not null default 0,
  failed integer not null default 0,
  missing integer not null default 0,
  -- Texts that several codes have, and these codes; and batches that were adding codes meanwhile. Null until it is done.
  duplicate_contents integer,
  duplicate_codes integer,
  unfinished_batches integer,
  -- The last code of the last page, as in a cursor of codes; null before the first page.
  after_created_at timestamptz(3),
  after_position integer,
  after_id uuid,
  -- The readers and the renderer that made the pages. Others begin again.
  software text,
  -- The gateway that works on it, until when, and when the last turn ended.
  lessee uuid,
  leased_until timestamptz not null default now(),
  turn_ended_at timestamptz not null default now(),
  -- Turns since the last page.
  fruitless_turns integer not null default 0,
  -- The receipt's statement and its signature, once it is done.
  statement text,
  jws text,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  check ((folder_id is null) <> (code_ids is null)),
  check ((state = 'running') = (finished_at is null)),
  check ((state = 'done') = (statement is not null and jws is not null)),
  foreign key (account_id, folder_id) references folders (account_id, id) on delete cascade
);

create unique index verifications_running on verifications (folder_id) where state = 'running';
create index verifications_waiting on verifications (turn_ended_at) where state = 'running';
create index verifications_of_account on verifications (account_id) where state = 'running';
create index verifications_of_folder on verifications (folder_id, created_at, id);
create index verifications_of_choice on verifications (account_id, created_at, id) where folder_id is null;

create table verification_pages (
  verification_id uuid not null references verifications (id) on delete cascade,
  number integer not null check (number >= 0),
  -- One code a line, as the receipt has it.
  entries text not null,
  primary key (verification_id, number)
);
