/** How the gateway processes of one machine share it. */
import { ok, type Result, refused } from '../result.ts';

/** The addresses of the stores that several processes share, by the names of their variables. */
export interface SharedStores {
  readonly DATABASE_URL: string | null;
  readonly REDIS_URL: string | null;
}

/** Returns the variables without which only one process can run. */
export const missingFor = (stores: SharedStores): readonly string[] =>
  (['DATABASE_URL', 'REDIS_URL'] as const).filter((name) => stores[name] === null);

/**
 * Returns how many gateway processes run: the configured number, or for `auto` one for each core. Without both shared
 * stores `auto` means one process, and a larger number is refused.
 */
export const countGateways = (
  wanted: number | 'auto',
  cores: number,
  stores: SharedStores,
): Result<number, string> => {
  const missing = missingFor(stores);
  if (missing.length === 0) return ok(wanted === 'auto' ? cores : wanted);
  if (wanted === 'auto' || wanted === 1) return ok(1);
  return refused(`${wanted} processes share one database and one ledger: set ${missing.join(' and ')} too`);
};

/** Returns the default of render threads in each process: the cores are divided, and each event loop has one. */
export const renderThreadsOf = (cores: number, gateways: number): number =>
  Math.max(1, Math.floor(cores / gateways) - 1);

const CONNECTIONS_MAX = 10;
const CONNECTIONS_MIN = 3;
/** Connections of all processes together, as long as each has the least number. */
const CONNECTIONS_TOTAL = 24;

/**
 * Returns how many connections to Postgres each process holds for queries, so that 24 processes, with one more each to
 * listen for changes, fit into the 100 connections that Postgres allows by default.
 */
export const databaseConnectionsOf = (gateways: number): number =>
  Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS_MIN, Math.floor(CONNECTIONS_TOTAL / gateways)));
