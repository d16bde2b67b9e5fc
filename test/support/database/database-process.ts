/** A process for tests to kill: opens the embedded database in `argv[2]`, writes, reports that, and keeps running. */

import { openDatabase } from '../../../src/db/database.ts';
import { createAccount } from '../../../src/db/tables/accounts/accounts.ts';
import { silent } from '../silent-log.ts';

const { sql } = await openDatabase({ url: null, dataDir: String(process.argv[2]) }, silent);
let written = 0;
for (;;) {
  await createAccount(sql, { name: `written ${written}`, plan: 'free', monthlyQuota: null });
  written += 1;
  process.stdout.write(`${written}\n`);
}
