/**
 * Applies migrations that begin with `-- transaction: none`, one statement after the other, while gateways serve.
 * `migration_steps` has what is begun and done of them, so that another process goes on where one was killed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isCancelled, isLockFault } from '../faults.ts';
import type { Migration } from './files.ts';
import type { Session } from './session.ts';
import { indexMadeBy, isConcurrent, letsTrafficPass } from './statements.ts';

/** How online migrations are run. */
export interface OnlineRun {
  open(): Promise<Session>;
  /** How long it waits for another process that migrates, and keeps trying to get a lock. */
  readonly patienceMs: number;
  /** Called for each statement, and when it begins to wait, with a sentence for the operator. */
  tell(sentence: string): void;
}

/** Another than that of `exclusively`: it is held for minutes, while others look whether a migration is missing. */
const ONLINE_LOCK = 7_355_609;
const POLL_MS = 500;

/**
 * How long a statement waits for a lock behind which readers and writers of the table wait, too, and the pauses between
 * tries, which double.
 */
const TABLE_LOCK_MS = 200;
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 8000;

const STEPS = `
  create table if not exists migration_steps (
    number integer not null,
    step integer not null,
    statement text not null,
    is_done boolean not null,
    at timestamptz(3) not null default now(),
    primary key (number, step)
  )`;

const NOTE = `
  insert into migration_steps (number, step, statement, is_done) values ($1, $2, $3, $4::text::boolean)
  on conflict (number, step) do update set statement = excluded.statement, is_done = excluded.is_done, at = now()`;

/** What `migration_steps` has of a statement. */
interface Step {
  readonly statement: string;
  readonly isDone: boolean;
}

const shortOf = (statement: string): string => statement.replaceAll(/\s+/g, ' ').slice(0, 100);

const isApplied = async (session: Session, { number }: Migration): Promise<boolean> =>
  (await session.run('select 1 from migrations where number = $1', [number])).length > 0;

/** Returns what the process that migrates runs now, as far as this one may see it. */
const holderOf = async (session: Session): Promise<string> => {
  const [holder] = await session.run(
    `select pid, query from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and objid = $1 and database = (
       select oid from pg_database where datname = current_database())`,
    [ONLINE_LOCK],
  );
  return holder === undefined
    ? 'another process'
    : `Postgres process ${holder.pid} (${shortOf(String(holder.query))})`;
};

/**
 * Waits until this session may apply the migration. It asks again and again: a session that waits inside of a query
 * holds a snapshot, for whose end `create index concurrently` of the other one would wait.
 *
 * @returns Whether it must be applied: `false` when the other process has done so.
 */
const takeTurn = async (session: Session, migration: Migration, run: OnlineRun): Promise<boolean> => {
  const untilMs = performance.now() + run.patienceMs;
  for (let isTold = false; ; isTold = true) {
    const [row] = await session.run('select pg_try_advisory_lock($1) as mine', [ONLINE_LOCK]);
    if (await isApplied(session, migration)) return false;
    if (row?.mine === true) return true;
    if (!isTold || performance.now() > untilMs) {
      const holder = await holderOf(session);
      if (performance.now() > untilMs)
        throw new Error(
          `migration ${migration.name} is still being applied by ${holder}: start again when it is done`,
        );
      run.tell(`${migration.name} waits for ${holder}, which applies it`);
    }
    await sleep(POLL_MS);
  }
};

/** Drops an index that a killed or failed `create index concurrently` has left. */
const dropInvalid = async (session: Session, index: string): Promise<void> => {
  const invalid = await session.run(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  );
  if (invalid.length > 0) await session.run(`drop index concurrently if exists ${index}`);
};

/** @param step What a killed run has noted of the statement; absent: nothing. */
const runConcurrently = async (
  session: Session,
  statement: string,
  step: Step | undefined,
  note: (isDone: boolean) => Promise<void>,
): Promise<void> => {
  const index = indexMadeBy(statement);
  const left = step === undefined ? null : indexMadeBy(step.statement);
  if (left !== null) await dropInvalid(session, left);
  const made =
    left === index && index !== null
      ? await session.run('select 1 from pg_index where indexrelid = to_regclass($1)', [index])
      : [];
  if (made.length === 0) {
    await note(false);
    await session.run(statement).catch(async (error: unknown) => {
      // Its writers would pay for an index that nobody reads, and a unique one may refuse their rows.
      if (index !== null) await dropInvalid(session, index).catch(() => {});
      throw error;
    });
  }
  await note(true);
};

const runInTransaction = async (
  session: Session,
  statement: string,
  note: (isDone: boolean) => Promise<void>,
): Promise<void> => {
  await session.run('begin');
  try {
    await session.run(`set local lock_timeout = ${letsTrafficPass(statement) ? 0 : TABLE_LOCK_MS}`);
    await session.run(statement);
    await note(true);
    await session.run('commit');
  } catch (error) {
    await session.run('rollback').catch(() => {});
    throw error;
  }
};

/** Tries again while others hold what the statement must lock. */
const patiently = async (what: string, run: OnlineRun, attempt: () => Promise<void>): Promise<void> => {
  const untilMs = performance.now() + run.patienceMs;
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (isCancelled(error))
        throw new Error(
          `${what} ended at its time limit: run tessera migrate, which has none, before gateways start`,
          { cause: error },
        );
      if (!isLockFault(error)) throw error;
      if (performance.now() > untilMs)
        throw new Error(
          `${what} got no lock for ${Math.round(run.patienceMs / 1000)} s: end the transaction or the vacuum that holds its table, then start again, which goes on from here`,
          { cause: error },
        );
      if (pauseMs === PAUSE_MS) run.tell(`${what} waits: another transaction holds its table`);
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
};

const runSteps = async (
  session: Session,
  { number, name, online }: Migration,
  run: OnlineRun,
): Promise<void> => {
  await session.run(STEPS);
  const rows = await session.run('select step, statement, is_done from migration_steps where number = $1', [
    number,
  ]);
  const steps = new Map(rows.map((row) => [row.step as number, row as unknown as Step]));
  for (const [i, statement] of (online ?? []).entries()) {
    const step = steps.get(i + 1);
    if (step?.isDone === true && step.statement !== statement)
      throw new Error(`statement ${i + 1} of sql/${name}.sql was changed after it was applied: restore it`);
    if (step?.isDone === true) continue;
    const what = `statement ${i + 1} of ${online?.length} of ${name}`;
    run.tell(`${what}: ${shortOf(statement)}`);
    const note = async (isDone: boolean): Promise<void> => {
      await session.run(NOTE, [number, i + 1, statement, String(isDone)]);
    };
    await patiently(what, run, () =>
      isConcurrent(statement)
        ? runConcurrently(session, statement, step, note)
        : runInTransaction(session, statement, note),
    );
  }
};

const RECORD = `
  with done as (delete from migration_steps where number = $1)
  insert into migrations (number, name, checksum, needs) values ($1, $2, $3, nullif($4, ''))`;

/**
 * Applies an online migration, or waits until another process has. Statements that Postgres takes within a transaction
 * have one each, with the note that they are done. Of an index that is made concurrently, the note comes before, so
 * that the next process knows whose it is: it keeps a valid one, and makes an invalid one again.
 *
 * @returns Whether this process applied it.
 * @throws {Error} When it fails. What is done stays noted, and the next start goes on from there.
 */
export const applyOnline = async (migration: Migration, run: OnlineRun): Promise<boolean> => {
  const session = await run.open();
  try {
    const isMine = await takeTurn(session, migration, run);
    if (isMine) {
      await runSteps(session, migration, run);
      const { number, name, checksum, needs } = migration;
      await session.run(RECORD, [number, name, checksum, needs ?? '']);
    }
    return isMine;
  } finally {
    await session.run('select pg_advisory_unlock_all()').catch(() => {});
    await session.close();
  }
};
