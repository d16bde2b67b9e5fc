-- Own domains of accounts, at which their short links are printed, and what visitors ask of them in vain.

create table domains (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id),
  -- In ASCII and lower case, without a port.
  host text not null check (host ~ '^[a-z0-9-]+([.][a-z0-9-]+)+$' and char_length(host) <= 253),
  -- The first segment of the path of short links; '': they are at the root. It is printed, so it stays once there are links.
  prefix text not null default '' check (prefix ~ '^[0-9A-Za-z_-]{0,32}$'),
  -- What short links begin with after `https://`.
  place text not null generated always as (host || case prefix when '' then '' else '/' || prefix end) stored,
  -- What the DNS record or the file must show.
  token text not null check (char_length(token) = 32),
  -- Since when the host is proved without a break; null: it is not, and nothing is served.
  verified_at timestamptz(3),
  -- When a proof was last looked for, and why the last one was not found; null: it was.
  checked_at timestamptz(3),
  fault text check (char_length(fault) between 1 and 300),
  -- Since when the proof of a proved host is missing; null: it is there.
  failing_since timestamptz(3),
  -- When the host stopped being proved; null: it is proved, or never was.
  lapsed_at timestamptz(3),
  -- When the proof is looked for next, and until when a gateway does it.
  next_check_at timestamptz(3),
  leased_until timestamptz(3),
  -- What is answered besides short links: `DomainAnswers` of src/db/tables/domains/domains.ts.
  answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object' and octet_length(answers::text) <= 131072),
  -- What visits of its links that say nothing themselves pass on: `Forward` of src/db/tables/links.ts; null: what the
  -- account says.
  forward jsonb check (octet_length(forward::text) <= 16384),
  -- Requests for slugs that it does not know; `unknown_slugs` has the most frequent ones.
  unknown_requests bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Deleted domains keep their rows while links are printed with them. The account can register the host again.
  deleted_at timestamptz(3),
  unique (account_id, host),
  check (verified_at is null or (lapsed_at is null and deleted_at is null))
);

-- A host is served for one account.
create unique index domains_served on domains (host) where verified_at is not null;
create index domains_to_check on domains (next_check_at) where next_check_at is not null;

alter table links add foreign key (domain_id) references domains (id);
create index links_of_domain on links (domain_id) where domain_id is not null;
alter table own_slugs add foreign key (domain_id) references domains (id);
alter table accounts add foreign key (default_domain_id) references domains (id);
alter table batches add foreign key (domain_id) references domains (id);
alter table folders add foreign key (domain_id) references domains (id);
alter table presets add foreign key (domain_id) references domains (id);
create index folders_of_domain on folders (domain_id) where domain_id is not null;
create index presets_of_domain on presets (domain_id) where domain_id is not null;
create index accounts_of_domain on accounts (default_domain_id) where default_domain_id is not null;

-- What short links of a domain begin with, after `https://`; null for the shared domain.
create function domain_place(p_id uuid) returns text language sql stable strict as $$
  select place from domains where id = p_id
$$;

-- The unknown slugs that visitors asked of a domain, the most frequent ones. Those that nobody asks for go.
-- src/db/tables/domains/unknown-slugs.ts bounds them.
create table unknown_slugs (
  domain_id uuid not null references domains (id) on delete cascade,
  slug text not null check (char_length(slug) between 1 and 64),
  requests bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (domain_id, slug)
);
