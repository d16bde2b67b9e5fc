/** The turns that gateways take to work on verifications, on a server and on the embedded database. */
import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Database } from '../../src/db/database.ts';
import {
  endTurn,
  finishVerification,
  renewTurn,
  savePage,
  type TurnOptions,
  takeTurn,
} from '../../src/db/tables/verification-turns.ts';
import {
  beginVerification,
  eachPage,
  ensureReceiptKey,
  getVerification,
} from '../../src/db/tables/verifications.ts';
import { createKey } from '../../src/verify/receipt/jws.ts';
import { realDatabase } from '../support/database/database.ts';
import { DATABASES } from '../support/database/kinds.ts';

const gateway = (changes: Partial<TurnOptions> = {}): TurnOptions => ({
  leaseHolder: randomUUID(),
  leaseMs: 60_000,
  software: 'v1',
  fruitlessMax: 3,
  ...changes,
});

const RESULTS = { passed: 1, weak: 0, failed: 2, missing: 0 };
const page = (entries: string) => ({
  entries,
  results: RESULTS,
  last: { createdAt: new Date(1000), position: 5, id: randomUUID() },
});

const checkTurns = async (t: Test, { sql }: Database): Promise<void> => {
  const accountId = randomUUID();
  await sql`insert into accounts (id, name, plan) values (${accountId}, 'a', 'pro')`;
  const begin = async (name: string) => {
    const [{ id: folderId }] = await sql<[{ id: string }]>`
      insert into folders (account_id, name) values (${accountId}, ${name}) returning id`;
    const begun = await sql.begin((tx) => beginVerification(tx, accountId, { folderId }, 9));
    if (!begun.ok) throw new Error('full');
    return begun.value;
  };
  const state = async ({ id, folderId }: { id: string; folderId: string | null }) =>
    getVerification(sql, accountId, folderId, id);
  const pagesOf = async (id: string) => {
    const pages = [];
    for await (const entries of eachPage(sql, id)) pages.push(entries);
    return pages;
  };

  const one = await begin('one');
  const two = await begin('two');
  const [mine, other] = [gateway(), gateway()];
  const first = (await takeTurn(sql, mine))!;
  t.match(first, { id: one.id, folder: { name: 'one' }, after: null, pages: 0 }, 'the oldest first');
  t.match(await takeTurn(sql, other), { id: two.id }, 'another gateway takes the next');
  t.equal(await takeTurn(sql, gateway()), null, 'a turn that is held is not taken');

  const second = (await savePage(sql, first, page('a\nb')))!;
  t.match(second, { pages: 1, after: { position: 5 } });
  t.match(await state(one), { passed: 1, failed: 2 });
  await endTurn(sql, second);
  const again = (await takeTurn(sql, other))!;
  t.match(again, { id: one.id, pages: 1, after: second.after }, 'any gateway continues where it stopped');
  t.equal(await savePage(sql, second, page('late')), null, 'a turn that was lost saves nothing');
  t.equal(await renewTurn(sql, second, 1000), false);
  t.equal(await renewTurn(sql, again, 1000), true);
  t.strictSame(await pagesOf(one.id), ['a\nb']);

  // A killed gateway does not end its turn.
  await sql`update verifications set leased_until = now() where id = ${one.id}`;
  const third = (await takeTurn(sql, mine))!;
  t.equal(third.id, one.id);
  for (const [i, entries] of ['c', 'd', 'e', 'f'].entries())
    await savePage(sql, { ...third, pages: third.pages + i }, page(entries));
  const found = { contents: 2, codes: 5, unfinishedBatches: 1 };
  await finishVerification(sql, third, { statement: '{}', jws: 'x' }, found);
  t.match(await state(one), { duplicateContents: 2, duplicateCodes: 5, unfinishedBatches: 1 });
  t.match(await state(one), { state: 'done', total: 15, signed: { statement: '{}', jws: 'x' } });
  t.strictSame(await pagesOf(one.id), ['a\nb', 'c', 'd', 'e', 'f'], 'more pages than one query reads');

  t.test('pages read by another version are read again, after a minute', async (t) => {
    await sql`update verifications set leased_until = now() where id = ${two.id}`;
    const turn = (await takeTurn(sql, mine))!;
    await endTurn(sql, (await savePage(sql, turn, page('old')))!);
    const newer = gateway({ software: 'v2' });
    t.equal(await takeTurn(sql, newer), null, 'during an upgrade, gateways of its own version go first');
    await sql`update verifications set leased_until = now() - interval '61 seconds' where id = ${two.id}`;
    t.match(await takeTurn(sql, newer), { id: two.id, pages: 0, after: null });
    t.match(await state(two), { passed: 0, failed: 0 });
    t.strictSame(await pagesOf(two.id), []);
  });

  t.test('a verification that makes no progress fails in the end', async (t) => {
    for (let i = 0; i < 2; i += 1) {
      await sql`update verifications set leased_until = now() where id = ${two.id}`;
      t.equal((await takeTurn(sql, gateway({ software: 'v2' })))?.id, two.id);
    }
    await sql`update verifications set leased_until = now() where id = ${two.id}`;
    t.equal(await takeTurn(sql, gateway({ software: 'v2' })), null);
    t.match(await state(two), { state: 'failed' });
  });

  t.test('a verification waits while its folder is in the bin', async (t) => {
    const three = await begin('three');
    await sql`update folders set deleted_at = now() where id = ${three.folderId}`;
    t.equal(await takeTurn(sql, mine), null);
    await sql`update folders set deleted_at = null where id = ${three.folderId}`;
    t.equal((await takeTurn(sql, mine))?.id, three.id);
  });
};

for (const [kind, open] of Object.entries(DATABASES))
  t.test(`gateways take turns on ${kind}`, async (t) => checkTurns(t, await open(t)));

t.test('gateways that start together share one key, which does not change', async (t) => {
  const { sql } = await realDatabase(t);
  const keys = await Promise.all(Array.from({ length: 8 }, () => ensureReceiptKey(sql, createKey)));
  const later = await ensureReceiptKey(sql, () => {
    throw new Error('there is a key');
  });
  t.equal(new Set([...keys, later].map((key) => key.toString('hex'))).size, 1);
});

t.test('two gateways never take the same turn', async (t) => {
  const { sql } = await realDatabase(t);
  const accountId = randomUUID();
  await sql`insert into accounts (id, name, plan) values (${accountId}, 'a', 'pro')`;
  for (let i = 0; i < 6; i += 1) {
    const [{ id: folderId }] = await sql<[{ id: string }]>`
      insert into folders (account_id, name) values (${accountId}, ${`f${i}`}) returning id`;
    await sql.begin((tx) => beginVerification(tx, accountId, { folderId }, 9));
  }
  const taken = await Promise.all(Array.from({ length: 9 }, () => takeTurn(sql, gateway())));
  const ids = taken.flatMap((turn) => turn?.id ?? []);
  t.equal(new Set(ids).size, ids.length);
  t.ok(ids.length >= 1);
});
