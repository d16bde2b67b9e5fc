/** A database made as in docs/operations/servers.md: on its own server, owned by a role that is not a superuser. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '../servers/postgres/bench-postgres.ts';
import { findPostgres } from '../servers/postgres/postgres.ts';
import type { Scope } from '../servers/scope.ts';

/** The name of the role and of its database. */
const NAME = 'tessera';

/** Runs one of Postgres's programs, which may be symbolic links in another folder. */
export const runPostgresProgram = async (name: string, args: readonly string[]): Promise<void> => {
  const folder = dirname(realpathSync(join(findPostgres() ?? '', 'initdb')));
  await promisify(execFile)(join(folder, name), args);
};

/** Starts a server in a new folder, creates the role and its empty database, and returns the role's URL for it. */
export const startOwned = async (scope: Scope, folder: string): Promise<string> => {
  await mkdir(folder);
  const { url } = await startPostgres(scope, folder);
  const { hostname, port, username, host } = new URL(url);
  const server = [`--host=${hostname}`, `--port=${port}`, `--username=${username}`];
  await runPostgresProgram('createuser', [...server, NAME]);
  await runPostgresProgram('createdb', [...server, `--owner=${NAME}`, NAME]);
  return `postgres://${NAME}@${host}/${NAME}`;
};
