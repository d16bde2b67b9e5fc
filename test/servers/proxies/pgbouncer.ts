/** PgBouncer in front of a Postgres, as a pooler in transaction mode. */
import { readFileSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canConnect } from '../listen.ts';
import { postgresUser } from '../postgres/postgres.ts';
import { findProgram, freePort, startServerProcess, type TestScope } from '../server-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A pooler of a test. */
export interface TestPooler {
  /** The database of the server, through the pooler. */
  readonly url: string;
  output(): string;
}

/** A line of its configuration, without which it refuses the connections of gateways. */
export const IGNORED_PARAMETERS =
  'ignore_startup_parameters = jit,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

/**
 * Starts PgBouncer in transaction mode in front of a database.
 *
 * @param options.settings More lines of its configuration, for example `max_prepared_statements = 100`.
 */
export const startPgbouncer = async (
  scope: TestScope,
  databaseUrl: string,
  { poolSize, settings = [] }: { readonly poolSize: number; readonly settings?: readonly string[] },
): Promise<TestPooler> => {
  const program = findProgram('pgbouncer');
  if (program === null) throw new Error('this test needs PgBouncer: install pgbouncer or set PGBOUNCER');
  const server = new URL(databaseUrl);
  const name = server.pathname.slice(1);
  const folder = await temporaryFolder(scope);
  // It refuses to run as root.
  const user = postgresUser();
  const port = await freePort();
  const [file, logFile] = [join(folder, 'pgbouncer.ini'), join(folder, 'output.log')];
  const lines = [
    '[databases]',
    `${name} = host=${server.hostname} port=${server.port} dbname=${name} user=${server.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 1000',
    ...settings,
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  await writeFile(logFile, '');
  if (user) for (const path of [folder, file, logFile]) await chown(path, user.uid, user.gid);
  const probe = () => canConnect(port);
  const pooler = await startServerProcess(program, [file], { logFile, user, probe });
  scope.teardown(() => pooler.stop());
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href;
  return { url, output: () => readFileSync(logFile, 'utf8') };
};
