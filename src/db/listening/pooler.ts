import type postgres from 'postgres';

/** Whether a pooler stands in between: it tells its clients other process ids than those of the server. */
const isPooler = async (sql: postgres.Sql): Promise<boolean> => {
  const answer = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const { pid } = answer.state as unknown as { readonly pid: number };
  return answer[0].pid !== pid;
};

/**
 * Must be called where sessions are relied on. A pooler that ignores their settings would be used without time limits,
 * and lose notifications and prepared statements.
 *
 * @throws {Error} `POOLER`, when the connections of the pool lead through one.
 */
export const refusePooler = async (sql: postgres.Sql): Promise<void> => {
  if (await isPooler(sql)) throw Object.assign(new Error('it does not keep sessions'), { code: 'POOLER' });
};
