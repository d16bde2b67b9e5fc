/** The kinds of database that the service runs on. */
import type { Database } from '../../../src/db/database.ts';
import type { TestScope } from '../../servers/server-process.ts';
import { casesOf } from '../cases.ts';
import { embeddedDatabase, realDatabase } from './database.ts';

/**
 * Opens a migrated database of each kind. Both are Postgres, but the embedded one takes ten times the processor time,
 * so `npm test` runs only `db/queries.test.ts` on it, which has every query of most tables. The tests of this list run
 * on both in `npm run test:all`, on Node 24 (`ON_NODE_24` in `groups.mjs`), and in `npm run test:cases`.
 */
export const DATABASES: Readonly<Record<string, (scope: TestScope) => Promise<Database>>> = {
  'a Postgres server': (scope) => realDatabase(scope),
  ...(casesOf(5) === 5 && { 'the embedded database': (scope) => embeddedDatabase(scope) }),
};
