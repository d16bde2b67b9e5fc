/** `tessera scans move`: copies the scans that Postgres has into ClickHouse. */
import type { Command } from 'commander';
import type { ComparedMonth } from '../../../clickhouse/scans/move.ts';
import { SILENT } from '../../../log.ts';
import { createWholeNumberParser, print } from '../../admin.ts';
import { commandError, type Terminal } from '../../terminal.ts';

interface Options {
  readonly dryRun?: true;
  readonly json?: true;
  readonly rate: number;
}

const HELP = `
It reads DATABASE_URL, CLICKHOUSE_URL and the other settings of the gateway from the environment. Set CLICKHOUSE_URL
for the gateways first: they may run meanwhile, and reports get complete month by month. Nothing is removed from
Postgres. When it was killed, run it again: it goes on where it was, and copies no scan twice.

Exit codes: 0 ClickHouse has all that Postgres has (with --dry-run: it was compared), 1 it failed or something is
missing, 2 usage error.`;

const RATE_MAX = 1_000_000;

const lineOf = ({ month, scans, moved, inClickHouse, counted }: ComparedMonth): string => {
  const uncounted = counted < inClickHouse ? `, ${inClickHouse - counted} of them not in its counts` : '';
  return `  ${month.slice(0, 'YYYY-MM'.length)}  ${scans} in Postgres, ${moved} copied, ${inClickHouse} in ClickHouse${uncounted}\n`;
};

const moveAndTell = async (options: Options, terminal: Terminal): Promise<void> => {
  // The stores' clients are loaded by this command alone.
  const [{ readConfig }, { openDatabase }, { openClickHouse }, elsewhere, move] = await Promise.all([
    import('../../../config/config.ts'),
    import('../../../db/database.ts'),
    import('../../../clickhouse/client.ts'),
    import('../../../db/tables/scans/elsewhere.ts'),
    import('../../../clickhouse/scans/move.ts'),
  ]);
  const { databaseUrl, listenDatabaseUrl: listenUrl, clickhouseUrl, dataDir } = readConfig(terminal.env);
  if (databaseUrl === null || clickhouseUrl === null)
    throw commandError('set DATABASE_URL and CLICKHOUSE_URL, as the gateways have them');
  const database = await openDatabase({ url: databaseUrl, listenUrl, dataDir, migrates: false }, SILENT);
  const clickhouse = await openClickHouse(clickhouseUrl);
  try {
    const { sql } = database;
    if (!(await elsewhere.areScansElsewhere(sql)))
      throw commandError('gateways still write scans to Postgres: start them with CLICKHOUSE_URL first');
    const tell = ({ month, moved, scans }: { month: string; moved: number; scans: number }): void =>
      void terminal.err.write(`${month.slice(0, 'YYYY-MM'.length)}: ${moved} of ${scans}\n`);
    const months = options.dryRun
      ? await move.compareMonths(clickhouse, sql)
      : await move.moveScans(clickhouse, sql, options.rate, tell);
    const missing = months.filter((month) => !move.agrees(month));
    const end = missing.length === 0 ? 'ClickHouse has all scans that Postgres has.\n' : '';
    print(terminal, options, { months }, `${months.map(lineOf).join('')}${end}`);
    if (missing.length > 0 && !options.dryRun)
      throw commandError(
        `ClickHouse lacks scans, or counts of them, of ${missing.map(({ month }) => month.slice(0, 'YYYY-MM'.length)).join(', ')}`,
      );
  } finally {
    await clickhouse.close();
    await database.close();
  }
};

/** Adds the command that copies scans, below `scans`. */
export const addMoveScansCommand = (program: Command, terminal: Terminal): void => {
  program.commands
    .find((command) => command.name() === 'scans')!
    .command('move')
    .description('copy the scans that Postgres has into ClickHouse')
    .option('--dry-run', 'say what there is to copy, and change nothing')
    .option(
      '--rate <n>',
      'the most scans to copy in a second',
      createWholeNumberParser('--rate', 1, RATE_MAX),
      10_000,
    )
    .option('--json', 'print the months as JSON, for scripts')
    .addHelpText('after', HELP)
    .action((_: Options, command: Command) =>
      moveAndTell(command.opts(), terminal).catch((error: unknown) => {
        throw error instanceof Error ? commandError(error.message) : error;
      }),
    );
};
