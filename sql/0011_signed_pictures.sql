-- Signed pictures: the secrets with which accounts sign addresses, and which pictures are paid.

create table signing_secrets (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  -- The key that made it, which pays for its pictures. The secret is void once that key is revoked or has expired.
  key_id uuid not null references api_keys (id) on delete cascade,
  -- The text that signs. It stands here as it is, because a signature is checked by making it again.
  secret text not null check (octet_length(secret) between 32 and 128),
  created_at timestamptz(3) not null default now()
);

create index signing_secrets_of_account on signing_secrets (account_id, created_at, id);
create index signing_secrets_of_key on signing_secrets (key_id);

-- The pictures that an account has paid, by the ledger's month. A row is one unit. Rows of past months are deleted.
create table paid_pictures (
  -- The period of the balance that paid.
  month date not null check (extract(day from month) = 1),
  account_id uuid not null references accounts (id) on delete cascade,
  -- SHA-256 of all that decides the picture.
  picture bytea not null check (octet_length(picture) = 32),
  -- That of the unit.
  reservation_id uuid not null,
  primary key (month, account_id, picture)
);
