/** How a batch is received when the connection to the database is lost. */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { BY_NAME } from '../../src/batches/receive/columns.ts';
import { createReceive } from '../../src/batches/receive/receive.ts';
import { watchUpload } from '../../src/batches/receive/upload.ts';
import { createNotes } from '../../src/csv/notes.ts';
import type { Sql } from '../../src/db/client.ts';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { insertKey } from '../../src/db/tables/accounts/keys.ts';
import { MANIFEST_FORMS } from '../../src/lists.ts';
import { createFolderStore } from '../../src/storage/folder.ts';
import { realDatabase } from '../support/database/database.ts';
import { FREE_PAYER } from '../support/free-payer.ts';

const { sql } = await realDatabase(t);

/** Sends a batch of one row, and loses the answer to the commit or rollback that ends the upload. */
const receiveWithout = async (t: Test, when: 'committed' | 'rolled back') => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-receive-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const account = await createAccount(sql, { name: `lost when ${when}`, plan: 'pro', monthlyQuota: 10 });
  const key = await insertKey(sql, {
    accountId: account.id,
    name: 'main',
    prefix: 'tsr_abcd',
    hash: randomBytes(32),
    scopes: ['generate'],
  });
  let begun = 0;
  const lost = new Error('the connection is lost');
  const begin = async (work: (tx: Sql) => Promise<unknown>) => {
    begun += 1;
    if (begun === 1) return sql.begin((tx) => work(tx as never));
    await sql.begin(async (tx) => {
      await work(tx as never);
      if (when === 'rolled back') throw lost;
    });
    throw lost;
  };
  const receive = createReceive({
    sql: new Proxy(sql, { get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)) }),
    store: createFolderStore(folder),
    quota: { read: async () => ({ used: 0, remaining: 10, monthlyQuota: 10, resetsAtMs: 0 }) as never },
    log: { warn: () => {} },
    options: {
      leaseHolder: randomUUID(),
      leaseMs: 60_000,
      maxOpen: 10,
      maxKept: 10,
      maxRows: 10,
      maxBytes: 1e6,
      accountMaxBytes: 1e9,
    },
    wake: () => {},
  });
  const batch = {
    accountId: account.id,
    keyId: key.id,
    format: 'ndjson',
    formats: ['png'],
    onError: 'skip',
    design: {},
    counters: {},
    minGrade: 0,
    repair: false,
    duplicateRule: 'report',
    duplicateScope: 'batch',
    uniqueColumn: null,
    manifest: MANIFEST_FORMS.spreadsheets,
    folder: { name: 'Cups' },
    lifetimeS: 3600,
    idempotencyKey: null,
    webhookId: null,
    trace: null,
    domainId: null,
  } as const;
  const chunks = (async function* () {
    yield Buffer.from('{"data":"x"}\n');
  })();
  const incoming = {
    batch,
    columns: BY_NAME,
    encoding: null,
    notes: createNotes(),
    chunks,
    watch: watchUpload(FREE_PAYER),
    requestSha256: () => '0'.repeat(64),
    settle: async () => {},
  };
  await t.rejects(receive(incoming), { message: lost.message });
  const states = await sql<{ id: string; state: string }[]>`
    select id, state from batches where account_id = ${account.id}`;
  return { states, kept: existsSync(folder) ? readdirSync(folder) : [] };
};

t.test('a batch whose receiving failed leaves nothing behind', async (t) => {
  const { states, kept } = await receiveWithout(t, 'rolled back');
  t.equal(states.length, 0);
  t.strictSame(kept, []);
});

t.test('a batch that was received keeps its rows even if the answer of the database was lost', async (t) => {
  const { states, kept } = await receiveWithout(t, 'committed');
  t.equal(states.length, 1);
  t.not(states[0]?.state, 'receiving');
  t.strictSame(kept, [states[0]?.id]);
});
