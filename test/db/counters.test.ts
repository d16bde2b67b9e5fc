import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import type { Sql } from '../../src/db/client.ts';
import { openDatabase } from '../../src/db/database.ts';
import {
  blocksCompleteSince,
  deleteOldBlocks,
  setCounter,
  takeNumbers,
} from '../../src/db/tables/batches/counters.ts';
import { queueBatch, type Step } from '../../src/db/tables/batches/steps.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';

const url = await realDatabaseUrl();
const gateways = await Promise.all([0, 1].map(() => openDatabase({ url, dataDir: '' }, silent)));
t.teardown(() => Promise.all(gateways.map(({ close }) => close())));
const { sql } = gateways[0]!;

const newAccount = async () => {
  const [account] = await sql<{ id: string }[]>`
    insert into accounts (name, plan, monthly_quota) values ('counted', 'pro', 1) returning id`;
  const accountId = account!.id;
  const [key] = await sql<{ id: string }[]>`
    insert into api_keys (account_id, name, prefix, hash, scopes)
    values (${accountId}, 'k', 'tsr_', ${createHash('sha256').update(accountId).digest()}, '{generate}') returning id`;
  return { accountId, keyId: key!.id };
};

/** A validated batch, before a gateway takes the step that queues it. */
const newStep = async (
  { accountId, keyId }: Awaited<ReturnType<typeof newAccount>>,
  rows: number,
): Promise<Step> => {
  const leaseHolder = '00000000-0000-4000-8000-000000000001';
  const [row] = await sql<{ id: string }[]>`
    insert into batches (account_id, key_id, state, format, formats, on_error, design, min_grade, repair, folder_name, secret,
      lifetime_s, rows, lessee, expires_at, counters)
    values (${accountId}, ${keyId}, 'validating', 'csv', '{png}', 'skip', '{}', 0, false, 'Counted', ${Buffer.alloc(32)},
      60, ${rows}, ${leaseHolder}, now() + interval '1 day', '{"a": "one", "b": "two"}')
    returning id`;
  const counters = { a: 'one', b: 'two' };
  return { id: row!.id, leaseHolder, accountId, rows, counters, folderName: 'Counted' } as unknown as Step;
};

/** A connection that fails before its transaction ends. */
const dying = ({ sql: own }: (typeof gateways)[number]): typeof sql =>
  Object.assign(Object.create(own), {
    begin: (work: (tx: Sql) => Promise<unknown>) =>
      own.begin(async (tx) => {
        await work(tx);
        throw new Error('killed');
      }),
  });

const isGapless = (
  blocks: readonly { first: number; last: number }[],
  first: number,
  next: number,
): boolean => {
  let at = first;
  for (const block of blocks) {
    if (block.first !== at) return false;
    at = block.last + 1;
  }
  return at === next;
};

const action = fc.record({
  gateway: fc.nat({ max: 1 }),
  kind: fc.constantFrom('queue', 'queue twice', 'killed', 'refused', 'lease lost', 'take'),
  rows: fc.integer({ min: 1, max: 50 }),
});

t.test('wherever gateways are killed, each number is assigned once and none is skipped', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 8 }),
      fc.nat({ max: 1000 }),
      async (actions, first) => {
        const account = await newAccount();
        const { accountId } = account;
        for (const name of ['one', 'two'])
          await sql.begin((tx) => setCounter(tx, accountId, { name, next: first, maxPerAccount: 9 }));
        const queued = new Map<string, number>();
        await Promise.all(
          actions.map(async ({ gateway, kind, rows }) => {
            const own = gateways[gateway]!;
            if (kind === 'take') {
              await own.sql.begin((tx) => takeNumbers(tx, accountId, 'one', rows));
              return;
            }
            const step = await newStep(account, rows);
            const queue = (by: { sql: typeof sql }, as = step) =>
              queueBatch(by.sql, as, null, () =>
                kind === 'refused' ? { outcome: 'refused', why: 'no' } : { outcome: 'taken' },
              );
            if (kind === 'killed') await queue({ sql: dying(own) }).catch(() => {});
            if (kind === 'lease lost') await queue(own, { ...step, leaseHolder: accountId });
            if (kind === 'refused') {
              await queue(own);
              return;
            }
            queued.set(step.id, rows);
            // The killed gateway, or another one, repeats the step.
            const all = await Promise.all((kind === 'queue twice' ? gateways : [own]).map((by) => queue(by)));
            t.equal(all.filter(({ outcome }) => outcome === 'taken').length, 1, 'a batch is queued once');
          }),
        );
        for (const name of ['one', 'two']) {
          const blocks = await sql<{ first: number; last: number; batchId: string | null }[]>`
          select first, last, batch_id from counter_blocks where account_id = ${accountId} and counter = ${name} order by first`;
          const [counter] = await sql<{ next: number }[]>`
          select next from counters where account_id = ${accountId} and name = ${name}`;
          t.ok(isGapless(blocks, first, counter!.next), `the blocks of ${name} follow each other`);
          const ofBatches = blocks.filter(({ batchId }) => batchId !== null);
          t.strictSame(
            new Map(ofBatches.map((block) => [block.batchId, block.last - block.first + 1]).sort() as never),
            new Map([...queued].sort()),
            'each queued batch has a block for its rows',
          );
        }
        const wrong = await sql`
        select from batches b join counter_blocks k on k.batch_id = b.id
        where b.account_id = ${accountId} and (b.first_numbers ->> k.counter)::bigint <> k.first`;
        t.equal(wrong.length, 0, 'a batch has recorded its first numbers');
      },
    ),
    { numRuns: 50 },
  );
});

t.test('no statement lowers a counter', async (t) => {
  const { accountId } = await newAccount();
  await sql.begin((tx) => setCounter(tx, accountId, { name: 'one', next: 9, maxPerAccount: 9 }));
  await t.rejects(sql`update counters set next = 8 where account_id = ${accountId}`, /must not go back/);
});

t.test('of an account, only so many blocks that calls took are kept, and only the newest', async (t) => {
  const { accountId } = await newAccount();
  const other = await newAccount();
  for (const id of [accountId, other.accountId])
    await sql.begin((tx) => setCounter(tx, id, { name: 'one', next: 1, maxPerAccount: 9 }));
  for (let i = 0; i < 4; i += 1) await sql.begin((tx) => takeNumbers(tx, accountId, 'one', 10));
  await sql.begin((tx) => takeNumbers(tx, other.accountId, 'one', 10));
  await sql`update counter_blocks set batch_id = gen_random_uuid() where account_id = ${accountId} and first = 1`;
  const [gone] = await sql<[{ at: Date }]>`
    select at from counter_blocks where account_id = ${accountId} and first = 11`;
  const [made] = await sql<[{ at: Date }]>`
    select created_at as at from counters where account_id = ${accountId}`;
  t.strictSame(await blocksCompleteSince(sql, accountId, 'one'), made.at);
  await deleteOldBlocks(sql, 10, 2);
  t.strictSame(await blocksCompleteSince(sql, accountId, 'one'), new Date(gone.at.getTime() + 1));
  t.ok((await blocksCompleteSince(sql, other.accountId, 'one')) < gone.at);
  const firsts = async (id: string) =>
    (
      await sql<{ first: number }[]>`select first from counter_blocks where account_id = ${id} order by first`
    ).map(({ first }) => first);
  t.strictSame(await firsts(accountId), [1, 21, 31], 'the block of a batch is kept');
  t.strictSame(await firsts(other.accountId), [1]);
  t.same(await sql.begin((tx) => takeNumbers(tx, accountId, 'one', 1)), { ok: true, value: 41 });
});
