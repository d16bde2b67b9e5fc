/** A database as docs/operations.md has it made: on a server of its own, of a role that is no superuser. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres } from '../servers/postgres/bench-postgres.ts';
import { findPostgres } from '../servers/postgres/postgres.ts';
import type { Scope } from '../servers/scope.ts';

/** The role, and its database. */
const NAME = 'tessera';

/** Runs one of Postgres's own programs; the server may be reached by links in another folder. */
export const runPostgresProgram = async (name: string, args: readonly string[]): Promise<void> => {
  const folder = dirname(realpathSync(join(findPostgres() ?? '', 'initdb')));
  await promisify(execFile)(join(folder, name), args);
};

/** Starts a server on a new folder, makes the role and its empty database there, and returns the role's URL of it. */
export const startOwned = async (scope: Scope, folder: string): Promise<string> => {
  await mkdir(folder);
  const { url } = await startPostgres(scope, folder);
  const { hostname, port, username, host } = new URL(url);
  const server = [`--host=${hostname}`, `--port=${port}`, `--username=${username}`];
  await runPostgresProgram('createuser', [...server, NAME]);
  await runPostgresProgram('createdb', [...server, `--owner=${NAME}`, NAME]);
  return `postgres://${NAME}@${host}/${NAME}`;
};
