-- Presets and print profiles: designs of an account, and how it wants files, under names.

-- The logos of presets, as their callers sent them. Each content is stored once for an account.
create table preset_images (
  account_id uuid not null references accounts (id) on delete cascade,
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- A data URI, as UTF-8: a `bytea` can be read in pieces.
  image bytea not null check (octet_length(image) between 1 and 2000000),
  primary key (account_id, sha256)
);

-- Base64 of compressed pictures hardly shrinks.
alter table preset_images alter column image set storage external;

create table presets (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  -- The application stores names trimmed and in Unicode NFC.
  name text not null check (char_length(name) between 1 and 200),
  -- `PictureOptions` without `image`, as the caller wrote them, without defaults. `json` keeps their order, and takes U+0000.
  options json not null check (json_typeof(options) = 'object' and octet_length(options::text) <= 65536),
  image_sha256 bytea,
  -- The own domain of short links that are made with it (0014_domains.sql); null: it says nothing.
  domain_id uuid,
  is_default boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (account_id, name),
  foreign key (account_id, image_sha256) references preset_images (account_id, sha256)
);

create index presets_by_age on presets (account_id, created_at, id);
create unique index presets_default on presets (account_id) where is_default;
create index presets_of_image on presets (account_id, image_sha256) where image_sha256 is not null;

-- Print profiles: how the files of codes are made.
create table print_profiles (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts (id) on delete cascade,
  -- The application stores names trimmed and in Unicode NFC.
  name text not null check (char_length(name) between 1 and 200),
  -- `FileOptions`, as the caller wrote them, without defaults.
  options json not null check (json_typeof(options) = 'object' and octet_length(options::text) <= 4096),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (account_id, name)
);

create index print_profiles_by_age on print_profiles (account_id, created_at, id);
