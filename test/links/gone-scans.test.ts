import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Database } from '../../src/db/database.ts';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { claimKeys, deleteItem, type Item, insertItems } from '../../src/db/tables/items.ts';
import { removeGoneScans } from '../../src/db/tables/scans/gone.ts';
import { insertScans } from '../../src/db/tables/scans/scans.ts';
import { DATABASES } from '../support/database/kinds.ts';
import { scanRow } from '../support/scan.ts';

const scansOf = (slug: string, count: number, hour = 12) =>
  Array.from({ length: count }, (_, i) =>
    scanRow({
      slug,
      at: new Date(Date.UTC(2026, 10, 21, hour, 0, 0, i)),
      visitor: i.toString(16).padStart(16, '0'),
      referrerHost: `host${i}.example`,
      country: 'DE',
    }),
  );

/** Returns the rows of every table that has something of a slug's scans, but for visitors, which go with their day. */
const rowsOf = async ({ sql }: Database, slug: string) => {
  const [row] = await sql`
    select (select count(*) from scans where slug = ${slug}) as scans,
      (select count(*) from scan_series where slug = ${slug}) as series,
      (select count(*) from scan_breakdowns where slug = ${slug}) as breakdowns,
      (select count(*) from scan_totals where slug = ${slug}) as totals,
      (select count(*) from gone_scans where slug = ${slug}) as gone`;
  return { ...row };
};
const NOTHING = { scans: 0, series: 0, breakdowns: 0, totals: 0, gone: 0 };

const minutesLater = (minutes: number) => new Date(Date.now() + minutes * 60_000);

for (const [kind, open] of Object.entries(DATABASES)) {
  t.test(`scans of what is gone in the ${kind} database`, async (t) => {
    const database = await open(t);
    const { sql } = database;
    const { id: accountId } = await createAccount(sql, { name: 'Ada', plan: 'pro', monthlyQuota: null });
    let made = 0;
    const newItem = (): Promise<Item> =>
      sql.begin(async (tx) => {
        made += 1;
        const path = `/01/0952132100${String(made).padStart(4, '0')}`;
        await claimKeys(tx, accountId, [{ keyPath: path, shape: '' }]);
        const item = { path, keyPath: path, shape: '', links: [] };
        const [found] = await insertItems(tx, [item], { accountId, keyId: null, changeId: null });
        return found!;
      });

    await t.test(
      'those of a deleted item are removed, in steps that another gateway continues',
      async (t) => {
        const [item, other] = [await newItem(), await newItem()];
        await insertScans(sql, [...scansOf(item.slug, 2500), ...scansOf(item.slug, 5, 15)]);
        await insertScans(sql, scansOf(other.slug, 10));
        const kept = await rowsOf(database, other.slug);
        t.match(kept, { scans: 10, series: 1, totals: 1 });
        await sql.begin((tx) => deleteItem(tx, item));

        t.equal(await removeGoneScans(sql, new Date()), true);
        t.match(await rowsOf(database, item.slug), { scans: 2505, gone: 1 }, 'some may just be inserted');
        t.equal(await removeGoneScans(sql, minutesLater(11), 2), false, 'two steps are not enough');
        t.match(await rowsOf(database, item.slug), { scans: 505, series: 2, gone: 1 });
        t.equal(await removeGoneScans(sql, minutesLater(11)), true);
        t.strictSame(await rowsOf(database, item.slug), NOTHING);
        t.strictSame(await rowsOf(database, other.slug), kept, 'those of other items stay');
      },
    );

    await t.test('a scan that arrives after its item was deleted is not kept', async (t) => {
      const item = await newItem();
      await insertScans(sql, scansOf(item.slug, 3));
      await sql.begin((tx) => deleteItem(tx, item));
      await removeGoneScans(sql, minutesLater(11));
      const link = await newItem();
      t.equal(await insertScans(sql, [...scansOf(item.slug, 3), ...scansOf(link.slug, 2)]), 2);
      t.strictSame(await rowsOf(database, item.slug), NOTHING);
    });

    await t.test('those of purged links are removed, and those of other links stay', async (t) => {
      const slugs = Array.from({ length: 30 }, () => randomUUID().replaceAll('-', '').slice(0, 8));
      await sql`
        insert into links (slug, account_id, destination)
        select slug, ${accountId}::uuid, 'https://a.example/' from unnest(${slugs}::text[]) as made (slug)`;
      for (const slug of slugs) await insertScans(sql, scansOf(slug, 60));
      const [kept, ...gone] = slugs;
      const before = await rowsOf(database, kept!);
      await sql`
        insert into gone_scans (slug, account_id, deleted_at)
        select slug, ${accountId}::uuid, now() - interval '1 day' from unnest(${gone}::text[]) as gone (slug)`;
      const run = () => removeGoneScans(sql, new Date());
      t.strictSame(await Promise.all([run(), run()]), [true, true], 'by several gateways');
      for (const slug of gone) t.strictSame(await rowsOf(database, slug), NOTHING);
      t.strictSame(await rowsOf(database, kept!), before);
      const [account] = await sql`
        select sum(people) as people from scan_account_series where account_id = ${accountId}`;
      t.same(account, { people: 30 * 60 }, 'the account keeps its counts');
    });
  });
}
