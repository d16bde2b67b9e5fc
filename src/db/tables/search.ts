import type postgres from 'postgres';

/** A text as `searchable` of the database has it: its text can't hold U+0000, and has a space in its place. */
export const storedForm = (text: string): string => text.replaceAll('\0', ' ');

/** A pattern of LIKE and ILIKE for what has `text` in it somewhere, its wildcards taken as they stand. */
export const containing = (text: string): string => `%${storedForm(text).replace(/[\\%_]/g, '\\$&')}%`;

/**
 * A transaction for a search, in which a server ends each statement after `timeoutMs`; then it fails with `isTimeout`. The
 * embedded database keeps no time: there a statement is to be short by what it reads.
 */
export const withTimeLimit = <T>(
  sql: postgres.Sql,
  timeoutMs: number,
  run: (tx: postgres.Sql) => Promise<T>,
): Promise<T> =>
  sql.begin(async (tx) => {
    // Compiling the statement would take Postgres longer than running it: its cost looks high, so that the index is used.
    await tx`
      select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('jit', 'off', true)`;
    return run(tx as unknown as postgres.Sql);
  }) as Promise<T>;
