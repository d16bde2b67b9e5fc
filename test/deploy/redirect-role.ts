/** The Postgres role of gateways with ROLE=redirect, as an operator makes it. */
import { readFile } from 'node:fs/promises';
import postgres from 'postgres';
import type { TestScope } from '../servers/server-process.ts';

const NAME = 'tessera_redirect';
const PASSWORD = 'only-redirects';
const RIGHTS = new URL('../../deploy/postgres/redirect-role.sql', import.meta.url);

/** Makes the role, if the server does not have it. @param url Of a database, as its owner. */
export const createRedirectRole = async (url: string): Promise<void> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [found] = await sql`select from pg_roles where rolname = ${NAME}`;
    if (found === undefined) await sql.unsafe(`create role ${NAME} login password '${PASSWORD}'`);
  } finally {
    await sql.end();
  }
};

/** Gives it its rights in a database. */
export const grantRedirects = async (url: string): Promise<void> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(await readFile(RIGHTS, 'utf8'));
  } finally {
    await sql.end();
  }
};

/** Returns the URL of the same database for the role. */
export const asRedirects = (url: string): string =>
  Object.assign(new URL(url), { username: NAME, password: PASSWORD }).href;

/** Makes the role with its rights, and connects as it. */
export const connectAsRedirects = async (scope: TestScope, url: string): Promise<postgres.Sql> => {
  await createRedirectRole(url);
  await grantRedirects(url);
  const sql = postgres(asRedirects(url), { max: 1, onnotice: () => {} });
  scope.teardown(() => sql.end());
  return sql;
};
