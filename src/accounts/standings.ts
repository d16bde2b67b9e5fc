import type { Database } from '../db/database.ts';
import { type PlanMonthly, refreshStandings } from '../db/tables/accounts/standings.ts';
import { startLoop } from '../execution/loops.ts';
import type { Log } from '../log.ts';

const PAUSE_MS = 60_000;

/** Keeps the order of the operator's list of accounts up to date, within some minutes. */
export const startStandings = ({ sql }: Pick<Database, 'sql'>, planMonthly: PlanMonthly, log: Log) =>
  startLoop(
    'standings',
    PAUSE_MS,
    async () => {
      await sql.begin((tx) => refreshStandings(tx, planMonthly));
      return 'idle';
    },
    log,
  );
