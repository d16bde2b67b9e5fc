/** The record of paid pictures: per month, shared by gateways, and bounded. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { isPaid, notePaid, purgePaidPictures } from '../../src/db/tables/signed.ts';
import { toDesign } from '../../src/generate/request/design.ts';
import { createPaidPictures, pictureId } from '../../src/signed/paid.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';

const database = await openFor(t, { url: await realDatabaseUrl(), dataDir: '' });
const { sql } = database;

const newAccount = async (): Promise<string> => {
  const [row] = await sql<[{ id: string }]>`
    insert into accounts (name, plan) values ('test', 'pro') returning id`;
  return row.id;
};
const monthOf = (monthsAgo: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1))
    .toISOString()
    .slice(0, 10);
};
const sketchOf = (text: string, format: 'png' | 'svg' = 'png') => ({
  text,
  design: toDesign({}),
  logoSha256: null,
  format,
});

t.test('a picture is identified by its text, design, logo and format', async (t) => {
  const ids = [
    sketchOf('a'),
    sketchOf('b'),
    sketchOf('a', 'svg'),
    { ...sketchOf('a'), design: toDesign({ width: 301 }) },
    { ...sketchOf('a'), logoSha256: '00' },
  ].map(pictureId);
  t.equal(new Set(ids).size, ids.length);
  t.equal(pictureId(sketchOf('a')), ids[0]);
  t.match(ids[0], /^[\w-]{43}$/);
});

t.test('only one of several gateways records a picture first, and then all know it', async (t) => {
  const picture = { accountId: await newAccount(), id: pictureId(sketchOf('a')) };
  const gateways = Array.from({ length: 8 }, () => createPaidPictures(sql));
  for (const paid of gateways) t.notOk(await paid.has(picture));
  const noted = await Promise.all(gateways.map((paid) => paid.note(picture, monthOf(0), randomUUID())));
  t.equal(noted.filter((isFirst) => isFirst).length, 1);
  for (const paid of [...gateways, createPaidPictures(sql)]) t.ok(await paid.has(picture));
  const other = { ...picture, accountId: await newAccount() };
  t.notOk(await createPaidPictures(sql).has(other), 'it is not paid for another account');
});

t.test('a picture paid last month is not paid this month', async (t) => {
  const picture = { accountId: await newAccount(), id: pictureId(sketchOf('a')) };
  const paid = createPaidPictures(sql);
  t.ok(await paid.note(picture, monthOf(1), randomUUID()));
  t.notOk(await paid.has(picture));
  t.ok(await paid.note(picture, monthOf(0), randomUUID()));
  t.ok(await paid.has(picture));
});

t.test('past months are deleted in steps, and the current one is kept', async (t) => {
  const accountId = await newAccount();
  const rows = (month: string, count: number) => sql`
    insert into paid_pictures (month, account_id, picture, reservation_id)
    select ${month}::date, ${accountId}, sha256(n::text::bytea), gen_random_uuid() from generate_series(1, ${count}) as n`;
  await rows(monthOf(2), 2500);
  await rows(monthOf(0), 10);
  const [{ before }] = await sql<[{ before: number }]>`
    select count(*) as before from paid_pictures where month < ${monthOf(1)}::date`;
  t.ok((await purgePaidPictures(sql)) >= before);
  t.equal(await purgePaidPictures(sql), 0);
  const left = await sql`select month from paid_pictures where account_id = ${accountId}`;
  t.equal(left.length, 10);
  const picture = { accountId, month: monthOf(0), picture: Buffer.alloc(32, 1) };
  t.notOk(await isPaid(sql, picture));
  const first = randomUUID();
  t.ok(await notePaid(sql, picture, first));
  t.notOk(await notePaid(sql, picture, randomUUID()));
  t.ok(await notePaid(sql, picture, first), 'recorded again by the first gateway');
});
