import { type Database, openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { insertCodes } from '../../src/db/tables/codes/codes.ts';
import { ensureFolder } from '../../src/db/tables/folders.ts';
import { toDesign } from '../../src/generate/request/design.ts';
import { createSlug } from '../../src/links/slug.ts';
import { SILENT } from '../../src/log.ts';
import { inScope, type Scope } from '../../test/servers/scope.ts';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';
import { startBackends } from '../../test/servers/testbed.ts';
import { STYLED } from '../load/styles.ts';
import type { Verdict } from '../say.ts';

/** Opens a migrated database on the server, or an embedded one in a folder; it closes with `scope`. */
export const openOn = async (scope: Scope, url: string | null, dataDir = ''): Promise<Database> => {
  const database = await openDatabase({ url, dataDir }, SILENT);
  scope.teardown(() => database.close());
  return database;
};

/** Measures on an empty Postgres server, and then on an empty embedded database. Each verdict names the database. */
export const onBothDatabases = async (
  measure: (sql: Database['sql']) => Promise<readonly Verdict[]>,
): Promise<readonly Verdict[]> => {
  const named = (name: string, verdicts: readonly Verdict[]) =>
    verdicts.map((verdict) => ({ ...verdict, what: `${name}: ${verdict.what}` }));
  const onServer = await inScope(async (scope) => {
    const { postgres } = await startBackends(scope);
    return measure((await openOn(scope, await postgres.createDatabase('bench'))).sql);
  });
  const embedded = await inScope(async (scope) =>
    measure((await openOn(scope, null, await temporaryFolder(scope))).sql),
  );
  return [...named('Postgres', onServer), ...named('embedded', embedded)];
};

/** Where codes are saved. */
export type Place = Readonly<Record<'accountId' | 'folderId', string>>;

const DESIGN = toDesign(STYLED);

/** Returns a folder of a new account. */
export const openFolder = async (sql: Database['sql']): Promise<Place> => {
  const { id: accountId } = await createAccount(sql, { name: 'bench', plan: 'pro', monthlyQuota: null });
  const { id: folderId } = await ensureFolder(sql, accountId, 'bench');
  return { accountId, folderId };
};

/** Saves codes of one design in one transaction. */
export const saveCodes = async (
  sql: Database['sql'],
  place: Place,
  codes: readonly { readonly content: string; readonly name?: string; readonly dynamic?: boolean }[],
): Promise<void> => {
  const rows = codes.map(({ content, name = null, dynamic = false }, position) => ({
    ...{ position, content, name },
    link: dynamic ? { slug: createSlug(), destination: content } : null,
    design: DESIGN,
    logo: null,
    grade: 4 as const,
    warnings: '',
  }));
  await sql.begin((tx) => insertCodes(tx, { ...place, keyId: null, codes: rows }));
};
