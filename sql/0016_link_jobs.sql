-- Link jobs: changes of many short links, each to its own, from a file; and the undoing of such changes. The rows of a file are
-- divided into pieces, which are objects in the batch store (src/storage). A gateway handles one piece at a time in one
-- transaction, which also says how far the job has come, so any gateway can go on where another one stopped.

create table link_jobs (
  -- Also the `change_id` in the histories of the links that it changes.
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  -- The API key of the call that sent it.
  key_id uuid not null references api_keys (id),
  kind text not null check (kind in ('change', 'import', 'undo')),
  state text not null default 'receiving' check (state in (
    'receiving', 'checking', 'running', 'reverting', 'done', 'failed', 'cancelled')),
  -- How it will end, once that is decided: no further piece is begun then.
  ending text check (ending in ('failed', 'cancelled')),
  -- Why it ends otherwise than as done.
  reason text,
  -- What the call says about its rows, as the kind of the job needs it.
  terms jsonb not null default '{}',
  -- Checks its rows, and changes nothing.
  is_dry_run boolean not null default false,
  -- Changes nothing unless every row can be handled.
  all_or_nothing boolean not null default false,
  -- The job that it undoes.
  undoes uuid,
  idempotency_key text,
  -- SHA-256 of the request, hexadecimal; null until it is received.
  request_sha256 text,
  -- The webhook that is told of its end, whatever it subscribes to.
  webhook_id uuid,
  -- The trace of the call that sent it, as `batches.trace`.
  trace text check (length(trace) <= 600),
  -- The encoding of its file, and the rows that were left out because they have no text, as in `batches`.
  encoding text check (length(encoding) <= 40),
  empty_rows integer not null default 0 check (empty_rows >= 0),
  first_empty_rows integer[] not null default '{}',
  -- Columns that an import leaves out: `LeftOut` of src/link-imports/left-out.ts.
  left_out jsonb not null default '[]',
  rows integer not null default 0 check (rows between 0 and 1000000),
  -- Rows that are handled in the present state: that are checked, changed or undone.
  handled integer not null default 0,
  made integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  -- Rows with faults. The first ones are in link_job_faults.
  faults integer not null default 0,
  -- How far an undo has come: the last link that it has brought back.
  after_slug text not null default '',
  -- Of its objects in the batch store, and of what link_job_links keeps for its undoing.
  bytes bigint not null default 0,
  kept_bytes bigint not null default 0,
  -- Times that its present piece was begun.
  tries integer not null default 0,
  -- When a piece of it was begun last: the job that waits longest is next.
  served_at timestamptz not null default now(),
  -- The gateway that receives it or works on it, and until when.
  lessee uuid,
  leased_until timestamptz not null default now(),
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  -- It is listed, and can be undone, until then; null: it has not ended.
  expires_at timestamptz(3),
  -- Whether its objects are still in the batch store.
  has_files boolean not null default true,
  check ((state in ('done', 'failed', 'cancelled')) = (finished_at is not null))
-- The row is updated with each piece; room in its page keeps the new versions there.
) with (fillfactor = 50);

create unique index link_jobs_idempotency on link_jobs (account_id, idempotency_key) where idempotency_key is not null;
create index link_jobs_of_key on link_jobs (key_id);
create index link_jobs_of_account on link_jobs (account_id, created_at, id);
create index link_jobs_unfinished on link_jobs (served_at) where finished_at is null;
create index link_jobs_by_undone on link_jobs (undoes) where undoes is not null;
create index link_jobs_by_end on link_jobs (expires_at) where expires_at is not null;

create table link_job_pieces (
  job_id uuid not null references link_jobs (id) on delete cascade,
  first_row integer not null check (first_row > 0),
  rows integer not null check (rows > 0),
  bytes integer not null check (bytes > 0),
  -- As in batch_pieces.
  file_rows integer[] not null check (cardinality(file_rows) in (1, rows)),
  primary key (job_id, first_row)
);

create table link_job_faults (
  job_id uuid not null references link_jobs (id) on delete cascade,
  row integer not null,
  -- The row of the file; null where the fault is of no row.
  file_row integer,
  -- What the row calls its link.
  slug text,
  external_id text,
  field text not null,
  message text not null,
  primary key (job_id, row)
);

-- The links that rows of a job name, each in one row. Rows that only tell them apart go when the job has ended; those with
-- `earlier` stay as long as the job.
create table link_job_links (
  -- Not a foreign key, which would be looked up for each row. A job is removed after its links (src/link-jobs/engine.ts).
  job_id uuid not null,
  -- The slug that the link was made with; or, with a mark in front, what an import notes of a row (src/link-jobs/import.ts).
  slug text collate "C" not null,
  row integer not null,
  -- What the job has changed, as it was before: the route of the link, and the tags of its code if the job has changed them.
  earlier jsonb,
  primary key (job_id, slug)
);

create function tell_link_job_end() returns trigger language plpgsql as $$
begin
  perform tell_event(new.account_id, 'link_job.ended', json_build_object(
    'id', new.id, 'kind', new.kind, 'state', new.state, 'reason', new.reason, 'dry_run', new.is_dry_run, 'rows', new.rows,
    'made', new.made, 'changed', new.changed, 'unchanged', new.unchanged, 'faults', new.faults,
    'created_at', webhook_time(new.created_at), 'finished_at', webhook_time(new.finished_at),
    'expires_at', webhook_time(new.expires_at)), new.trace, new.webhook_id);
  return null;
end
$$;

create trigger link_jobs_tell_end after update on link_jobs
  for each row when (old.finished_at is null and new.finished_at is not null) execute function tell_link_job_end();
