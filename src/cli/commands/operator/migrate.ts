/** `tessera migrate`: applies the migrations of this version that the database, and ClickHouse, lack. */
import type { Command } from 'commander';
import type { ClickHouse } from '../../../clickhouse/client.ts';
import type { Missing } from '../../../db/migrations/missing.ts';
import { SILENT } from '../../../log.ts';
import { pluralise } from '../../../texts.ts';
import { createWholeNumberParser, print } from '../../admin.ts';
import { commandError, type Terminal } from '../../terminal.ts';

interface Options {
  readonly dryRun?: true;
  readonly json?: true;
  readonly waitMinutes: number;
}

const HELP = `
It reads the settings of the gateway from the environment (DATABASE_URL, CLICKHOUSE_URL, DATA_DIR and the others),
so run it as the gateway runs, before gateways of the new version start. Those that run keep serving. When it was
killed, run it again: it goes on where it was. Only one process migrates at a time; others wait.

Exit codes: 0 the schema has all that this version needs (with --dry-run: it was compared), 1 it failed, 2 usage error.`;

const MINUTE_MS = 60_000;

const tellMissing = (missing: readonly Missing[]): string => {
  const lines = missing.map(
    ({ name, needs, isOnline }) =>
      `  ${name}${isOnline ? ', while gateways serve' : ''}${needs === null ? '' : `; then gateways before ${needs} cannot start`}\n`,
  );
  return missing.length === 0
    ? 'No migration is missing.\n'
    : `${pluralise(missing.length, 'migration')} ${missing.length === 1 ? 'is' : 'are'} missing:\n${lines.join('')}`;
};

/** Runs with ClickHouse, where it has scans. @param url `null`: Postgres has them. */
const withClickHouse = async (
  url: string | null,
  run: (clickhouse: ClickHouse) => Promise<readonly string[]>,
): Promise<readonly string[]> => {
  if (url === null) return [];
  const { openClickHouse } = await import('../../../clickhouse/client.ts');
  const clickhouse = await openClickHouse(url);
  try {
    return (await run(clickhouse)).map((name) => `clickhouse/${name}`);
  } finally {
    await clickhouse.close();
  }
};

const migrateAndTell = async (options: Options, terminal: Terminal): Promise<void> => {
  // The stores' clients are loaded by this command alone.
  const [{ readConfig }, { readMissing }, { migrateDatabase }, schema] = await Promise.all([
    import('../../../config/config.ts'),
    import('../../../db/migrations/missing.ts'),
    import('../../../db/database.ts'),
    import('../../../clickhouse/schema.ts'),
  ]);
  const { databaseUrl: url, listenDatabaseUrl: listenUrl, clickhouseUrl, dataDir } = readConfig(terminal.env);
  const place = { url, listenUrl, dataDir };
  const ofPostgres = await readMissing(place);
  if (ofPostgres === null)
    throw commandError(
      `there is no embedded database in ${dataDir} yet, which the first start makes; for a server, set DATABASE_URL`,
    );
  const ofClickHouse = await withClickHouse(clickhouseUrl, schema.missingInClickHouse);
  const missing = [...ofPostgres, ...ofClickHouse.map((name) => ({ name, needs: null, isOnline: true }))];
  if (options.dryRun) return print(terminal, options, { missing, applied: [] }, tellMissing(missing));
  const run = {
    patienceMs: options.waitMinutes * MINUTE_MS,
    statementTimeoutMs: 0,
    tell: (sentence: string) => void terminal.err.write(`${sentence}\n`),
  };
  const applied = [
    ...(ofPostgres.length === 0 ? [] : await migrateDatabase(place, run, SILENT)),
    ...(await withClickHouse(clickhouseUrl, schema.migrateClickHouse)),
  ];
  // What another process has applied meanwhile is not missing either.
  const text = applied.map((name) => `Applied ${name}.\n`).join('') || tellMissing([]);
  print(terminal, options, { missing: [], applied }, text);
};

/** Adds the command that changes the schema, for Jobs that run before a rollout. */
export const addMigrateCommand = (program: Command, terminal: Terminal): void => {
  program
    .command('migrate')
    .description('apply the changes of the schema that this version needs and the database lacks')
    .option('--dry-run', 'list what is missing, and change nothing')
    .option(
      '--wait-minutes <n>',
      'how long to wait for another process that migrates, and for each lock',
      createWholeNumberParser('--wait-minutes', 0, 1440),
      60,
    )
    .option('--json', 'print what was done as JSON, for scripts')
    .addHelpText('after', HELP)
    .action((options: Options) =>
      migrateAndTell(options, terminal).catch((error: unknown) => {
        throw error instanceof Error ? commandError(error.message) : error;
      }),
    );
};
