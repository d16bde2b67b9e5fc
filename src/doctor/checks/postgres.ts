/** The server, its schema and connections, and rows that should have gone on, or that belong to nothing. */
import type { Config } from '../../config/config.ts';
import type { Inspected } from '../../db/inspect.ts';
import { readMigrations } from '../../db/migrations/files.ts';
import { compareSchema, readApplied } from '../../db/migrations/schema.ts';
import { VERSION } from '../../package.ts';
import { pluralise } from '../../texts.ts';
import { type Finding, faultsOr, findingsOf } from '../finding.ts';

const OLDEST = 15;

/** What a server says of itself. */
interface Server {
  readonly version: number;
  readonly standby: boolean;
  readonly mayCreate: boolean;
  /** Settings that are off and let a crash lose what was committed. */
  readonly off: readonly string[];
}

/** Judges a server. */
export const judgeServer = ({ version, standby, mayCreate, off }: Server): readonly Finding[] => {
  const { ok, warn, fail } = findingsOf('postgres');
  const what = `Postgres ${version}`;
  return faultsOr(
    [
      version < OLDEST && fail(`${what} is too old: install ${OLDEST} or later.`),
      standby && fail(`${what} is a standby and does not accept writes: let DATABASE_URL name the primary.`),
      !mayCreate &&
        !standby &&
        fail(
          'The user of DATABASE_URL may not create tables, as an upgrade does: grant create on its schema.',
        ),
      off.length > 0
        ? warn(
            `${off.join(', ')} ${off.length > 1 ? 'are' : 'is'} off: a crash may lose what was saved; set on.`,
          )
        : null,
    ],
    ok(`${what} takes writes and keeps them.`),
  );
};

/** Looks at the server itself. */
export const checkPostgres = async ({ sql, embedded }: Inspected): Promise<readonly Finding[]> => {
  const [server] = await sql<[Server]>`
    select current_setting('server_version_num')::integer / 10000 as version, pg_is_in_recovery() as standby,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      array(select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit')
        and setting = 'off' order by name) as off`;
  return embedded
    ? [findingsOf('postgres').ok(`The embedded Postgres ${server.version}.`)]
    : judgeServer(server);
};

/** Compares the schema with the migrations of this build. */
export const checkSchema = async ({ sql }: Inspected): Promise<readonly Finding[]> => {
  const { ok, warn, fail } = findingsOf('schema');
  const applied = await readApplied(sql);
  if (applied === null)
    return [fail('The database is empty: the first start of a gateway makes its tables.')];
  const known = await readMigrations();
  const { missing, newer, tooNew, changed } = compareSchema(applied, known, VERSION);
  const broken = await sql<{ name: string }[]>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    where not i.indisvalid and n.nspname = current_schema()
      and not exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid)
    order by 1 limit 10`;
  return faultsOr(
    [
      missing.length > 0 &&
        fail(
          `The schema lacks ${missing.join(', ')}: run tessera migrate, or start a gateway of this version, which adds them.`,
        ),
      ...tooNew.map(({ name, needs }) =>
        fail(`The schema has ${name}, which needs Tessera ${needs}: upgrade.`),
      ),
      ...changed.map((name) =>
        fail(`sql/${name}.sql is not the migration that was applied: install the version that applied it.`),
      ),
      newer.length > 0 &&
        warn(
          `The schema has additions of a newer version (${newer.join(', ')}): upgrade again when you can.`,
        ),
      broken.length > 0 &&
        fail(`Indexes are not valid: run reindex index for ${broken.map(({ name }) => name).join(', ')}.`),
    ],
    ok(`The schema has ${pluralise(applied.length, 'migration')}, as this version has.`),
  );
};

const NEARLY_ALL = 0.8;

/** Compares the connections that the server allows with those that are in use, and that this configuration needs. */
export const checkConnections = async (
  { sql, embedded }: Inspected,
  { gateways, databaseConnections, listenDatabaseUrl }: Config,
): Promise<readonly Finding[]> => {
  const { ok, warn, fail } = findingsOf('connections');
  if (embedded) return [ok('The embedded database has one connection, of one gateway.')];
  const [{ allowed, used, ours }] = await sql<[{ allowed: number; used: number; ours: number }]>`
    select least(
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
          - coalesce(current_setting('reserved_connections', true), '0')::integer,
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
      ) as allowed,
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as used,
      (select count(*)::integer from pg_stat_activity
        where application_name = 'tessera' and datname = current_database() and pid <> pg_backend_pid()) as ours`;
  // A pooler shares the others among its clients.
  const needed = gateways * (listenDatabaseUrl === null ? databaseConnections + 1 : 1);
  const has = `Postgres allows ${pluralise(allowed, 'connection')}, ${used} are in use, ${ours} of them by gateways`;
  if (needed > allowed) {
    return [fail(`${has}; GATEWAYS=${gateways} needs ${needed}: raise max_connections, or lower GATEWAYS.`)];
  }
  if (used > NEARLY_ALL * allowed) return [warn(`${has}: raise max_connections.`)];
  return [ok(`${has}; a gateway as configured here needs ${needed}.`)];
};

/** Checks that gateways hear of each other's changes: revoked keys, edited links. */
export const checkNews = async ({ embedded, hears }: Inspected): Promise<readonly Finding[]> => {
  const { ok, fail } = findingsOf('news');
  if (embedded) return [];
  if (await hears()) return [ok('Gateways hear of changes at once.')];
  return [
    fail(
      'What is sent through DATABASE_URL is not heard: let LISTEN_DATABASE_URL name the same database, not through a pooler in transaction mode. Until then a revoked key works for up to a second longer.',
    ),
  ];
};

/** Counting stops here. */
const COUNT_MAX = 10_000;

/** Looks for batches that no gateway ends. */
export const checkBatches = async ({ sql }: Inspected): Promise<readonly Finding[]> => {
  const { ok, warn } = findingsOf('batches');
  const [{ open, late }] = await sql<[{ open: number; late: number }]>`
    select count(*) as open, count(*) filter (where expires_at < now() - interval '10 minutes') as late
    from (select expires_at from batches where finished_at is null limit ${COUNT_MAX}) x`;
  return faultsOr(
    [
      late > 0 &&
        warn(
          `${pluralise(late, 'batch', 'batches')} should have expired: start a gateway with BATCH_WORKERS above 0.`,
        ),
    ],
    ok(`${pluralise(open, 'batch', 'batches')} under way, none beyond its time.`),
  );
};

const SAMPLE_ROWS = 100_000;

/**
 * Looks for links whose code is gone and that still lead somewhere: in a sample of blocks of the table, or in all of it.
 */
export const checkLinks = async (
  { sql }: Inspected,
  { isAll }: { readonly isAll: boolean },
): Promise<readonly Finding[]> => {
  const { ok, fail } = findingsOf('links');
  const [{ rows }] = await sql<[{ rows: number }]>`
    select reltuples::bigint as rows from pg_class where oid = 'links'::regclass`;
  const percent = isAll || rows <= SAMPLE_ROWS ? 100 : (100 * SAMPLE_ROWS) / rows;
  const [{ looked, lost, example }] = await sql<[{ looked: number; lost: number; example: string | null }]>`
    select count(*) as looked, count(*) filter (where c.id is null) as lost,
      min(l.slug) filter (where c.id is null) as example
    from links l tablesample system (${percent}) left join codes c on c.slug = l.slug
    where l.deleted_at is null`;
  return faultsOr(
    [
      lost > 0 &&
        fail(
          `${pluralise(lost, 'short link')} of ${looked} (such as ${example}) have no code: delete or restore them.`,
        ),
    ],
    ok(`${pluralise(looked, 'short link')}${percent < 100 ? ' of a sample' : ''}, each with its code.`),
  );
};

/**
 * Looks for deliveries that no gateway sends. Those of a receiver that fails wait for their next try, and are not late.
 */
export const checkWebhooks = async ({ sql }: Inspected): Promise<readonly Finding[]> => {
  const { ok, fail } = findingsOf('webhooks');
  const [{ waiting, late }] = await sql<[{ waiting: number; late: number }]>`
    select count(*) as waiting, count(*) filter (
      where greatest(next_at, paused_until, served_at) < now() - interval '10 minutes') as late
    from (
      select d.next_at, w.paused_until, w.served_at from webhook_deliveries d join webhooks w on w.id = d.webhook_id
      where d.state = 'waiting' and w.state = 'on' limit ${COUNT_MAX}
    ) x`;
  return faultsOr(
    [
      late > 0 &&
        fail(
          `${pluralise(late, 'delivery', 'deliveries')} should have been sent ten minutes ago: start a gateway.`,
        ),
    ],
    ok(`${pluralise(waiting, 'delivery waits', 'deliveries wait')}, none for too long.`),
  );
};
