import type postgres from 'postgres';

/** Mirrors the SQL function `searchable`: replaces U+0000, which Postgres cannot store, by spaces. */
export const replaceNul = (text: string): string => text.replaceAll('\0', ' ');

/** Returns a pattern of LIKE and ILIKE that matches whatever includes `text`; wildcards in `text` are escaped. */
export const toLikePattern = (text: string): string => `%${replaceNul(text).replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Runs a search in a transaction. A server cancels each statement after `timeoutMs`, which then fails with `isTimeout`.
 * The embedded database has no statement timeout, so a statement must read little.
 */
export const withTimeLimit = <T>(
  sql: postgres.Sql,
  timeoutMs: number,
  run: (tx: postgres.Sql) => Promise<T>,
): Promise<T> =>
  sql.begin(async (tx) => {
    // `search_grams` declares a high cost, so that the planner uses the index. That cost would also trigger JIT
    // compilation, which takes too long. A plan for all texts and accounts would read those of an account one by one.
    await tx`
      select set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('jit', 'off', true),
        set_config('plan_cache_mode', 'force_custom_plan', true)`;
    return run(tx as unknown as postgres.Sql);
  }) as Promise<T>;
