/** Compares the migrations that a database has with those of a build, and waits for those that it lacks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import { VERSION } from '../../package.ts';
import type { Migration } from './files.ts';

/** A migration applied to a database. */
export interface Applied {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  /** The oldest version compatible with it; `null`: every version that was compatible before. */
  readonly needs: string | null;
}

/** How a database's schema differs from a build's migrations. Each list contains names, in order. */
interface SchemaState {
  /** Not applied yet. */
  readonly missing: readonly string[];
  /** From a newer version, but compatible with this one. */
  readonly newer: readonly string[];
  /** From a newer version and incompatible, with the version that each needs. */
  readonly tooNew: readonly { readonly name: string; readonly needs: string }[];
  /** Applied from a file whose content has changed since. */
  readonly changed: readonly string[];
}

/** Compares versions such as 1.10.0 by their numbers. */
const isOlder = (version: string, needed: string): boolean =>
  version.localeCompare(needed, 'en', { numeric: true }) < 0;

/** Compares the schema of a database with the migrations of a build. */
export const compareSchema = (
  applied: readonly Applied[],
  known: readonly Migration[],
  version: string,
): SchemaState => {
  const state = {
    missing: known.filter(({ number }) => applied.every((row) => row.number !== number)),
    newer: [] as string[],
    tooNew: [] as SchemaState['tooNew'][number][],
    changed: [] as string[],
  };
  for (const { number, name, checksum, needs } of applied) {
    const migration = known.find((candidate) => candidate.number === number);
    if (migration !== undefined && migration.checksum !== checksum) state.changed.push(migration.name);
    if (migration !== undefined) continue;
    if (needs !== null && isOlder(version, needs)) state.tooNew.push({ name, needs });
    else state.newer.push(name);
  }
  return { ...state, missing: state.missing.map(({ name }) => name) };
};

/** @throws {Error} When this build cannot work on the database. */
export const checkApplied = (applied: readonly Applied[], known: readonly Migration[]): void => {
  const { tooNew, changed } = compareSchema(applied, known, VERSION);
  for (const { name, needs } of tooNew) {
    throw new Error(
      `The database has migration ${name}, which needs Tessera ${needs} or later, and this is ${VERSION}: run a newer Tessera.`,
    );
  }
  for (const name of changed) {
    throw new Error(`sql/${name}.sql was changed after it was applied: add a new migration instead.`);
  }
};

/** @throws {Error} When the database lacks a migration of this build, or this build cannot work on it. */
export const requireCurrent = async (sql: postgres.ISql, known: readonly Migration[]): Promise<void> => {
  const applied = (await readApplied(sql)) ?? [];
  checkApplied(applied, known);
  const { missing } = compareSchema(applied, known, VERSION);
  if (missing.length > 0) throw new Error(`it lacks ${missing.join(', ')}, which only the primary can add`);
};

/** Returns the migrations that a database has, or `null` when no gateway has ever used it. Changes nothing. */
export const readApplied = async (sql: postgres.ISql): Promise<readonly Applied[] | null> => {
  const [{ exists }] = await sql<
    [{ exists: boolean }]
  >`select to_regclass('migrations') is not null as exists`;
  return exists ? sql<Applied[]>`select number, name, checksum, needs from migrations order by number` : null;
};

const LOOK_EVERY_MS = 1000;

/**
 * Waits until a database has all migrations of a build. Changes nothing, and needs only to read the table of those that
 * were applied.
 *
 * @throws {Error} When this build cannot work on the database, or the migrations are still missing after `patienceMs`.
 */
export const awaitMigrations = async (
  sql: postgres.Sql,
  known: readonly Migration[],
  { patienceMs, tell }: { readonly patienceMs: number; tell(sentence: string): void },
): Promise<void> => {
  const untilMs = performance.now() + patienceMs;
  for (let isTold = false; ; isTold = true) {
    const applied = (await readApplied(sql)) ?? [];
    checkApplied(applied, known);
    const { missing } = compareSchema(applied, known, VERSION);
    if (missing.length === 0) return;
    const fault = `the database lacks ${missing.join(', ')}, which only tessera migrate or a gateway with another ROLE adds`;
    if (performance.now() > untilMs) throw new Error(fault);
    if (!isTold) tell(`waiting: ${fault}`);
    await sleep(LOOK_EVERY_MS);
  }
};
