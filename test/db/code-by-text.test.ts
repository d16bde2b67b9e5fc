/** Finding codes by what was read in their symbols, among many that are alike. */
import t from 'tap';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { codesByContent } from '../../src/db/tables/codes/by-text.ts';
import { insertCodes, type NewCode } from '../../src/db/tables/codes/codes.ts';
import { ensureFolder } from '../../src/db/tables/folders.ts';
import { DATABASES } from '../support/database/kinds.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';

const ALIKE = 3000;

for (const [kind, open] of Object.entries(DATABASES))
  t.test(`${kind}: of many codes with one content only those that are wanted are read`, async (t) => {
    const { sql } = await open(t);
    const { id: accountId } = await createAccount(sql, { name: 'x', plan: 'pro', monthlyQuota: null });
    const { id: folderId } = await ensureFolder(sql, accountId, 'alike');
    const codes = Array.from(
      { length: ALIKE },
      (_, position): NewCode => ({
        ...{ position, content: 'alike', logo: null, warnings: '', link: null, grade: 4 },
        design: DEFAULT_DESIGN,
      }),
    );
    const at = new Date(Date.UTC(2026, 0, 1));
    const ids = await insertCodes(sql, { accountId, folderId, keyId: null, at, codes });
    await sql`analyze codes`;
    const folder = { accountId, folderId };
    const wanted = { content: 'alike', isGs1: false, count: 3 };

    const readOf = async () => {
      await sql`select pg_stat_force_next_flush()`;
      const [row] = await sql<[{ rows: number }]>`
        select sum(idx_tup_read)::integer as rows from pg_stat_user_indexes where relname = 'codes'`;
      return row.rows;
    };
    const before = await readOf();
    const found = await codesByContent(sql, folder, [wanted]);
    t.strictSame(
      found.map(({ id }) => id),
      [0, 1, 2].map((position) => ids.get(position)),
      'the oldest ones',
    );
    const read = (await readOf()) - before;
    t.ok(read < 50, `${read} of ${ALIKE} codes were read`);
    t.strictSame(await codesByContent(sql, folder, [{ ...wanted, isGs1: true }]), []);
  });
