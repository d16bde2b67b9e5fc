/** Retention of histories, against a model. */
import fc from 'fast-check';
import t from 'tap';
import type { Database } from '../../src/db/database.ts';
import { createAccount } from '../../src/db/tables/accounts/accounts.ts';
import { expireHistories } from '../../src/db/tables/history-retention.ts';
import { DATABASES } from '../support/database/kinds.ts';

const NOW = new Date('2026-11-15T12:00:00.000Z');
const MONTHS = 3;
const CUTOFF_MS = Date.UTC(2026, 7, 15, 12);
const DAY_MS = 86_400_000;

/** An entry of one of a few things: days after the end of the retention, and the change of many that it was made by. */
interface Entry {
  readonly thing: number;
  readonly day: number;
  readonly change: number | null;
}

const entry = fc.record({
  thing: fc.nat(3),
  day: fc.integer({ min: -3, max: 3 }),
  change: fc.option(fc.nat(4)),
});

/** In order of time, as they are made. */
const history = fc
  .array(entry, { maxLength: 30 })
  .map((entries) => [...entries].sort((a, b) => a.day - b.day));

/** What is left, written from docs/operations/stores.md. */
const leftOf = (entries: readonly Entry[]): readonly Entry[] => {
  const laterOf = (at: number) => entries.filter(({ thing }, i) => i > at && thing === entries[at]!.thing);
  const isGone = entries.map((_, at) => {
    const [next, ...others] = laterOf(at);
    return next !== undefined && next.day < 0 && others.length > 0;
  });
  const broken = new Set(entries.filter((_, at) => isGone[at]).map(({ change }) => change));
  return entries
    .filter((_, at) => !isGone[at])
    .map((one) => ({ ...one, change: broken.has(one.change) ? null : one.change }));
};

const changeId = (change: number | null): string | null =>
  change === null ? null : `00000000-0000-4000-8000-00000000000${change}`;

const slugOf = (thing: number): string => `slug000${thing}`;

const write = async ({ sql }: Database, accountId: string, entries: readonly Entry[]): Promise<void> => {
  await sql`delete from link_history`;
  await sql`delete from dead_link_history`;
  await sql`update history_retention set after_id = 0`;
  for (const { thing, day, change } of entries) {
    const at = new Date(CUTOFF_MS + day * DAY_MS);
    await sql`
      insert into link_history (slug, destination, change_id, at)
      values (${slugOf(thing)}, 'https://example.com/', ${changeId(change)}, ${at})`;
    if (thing === 0) await sql`insert into dead_link_history (account_id, at) values (${accountId}, ${at})`;
  }
};

for (const [kind, open] of Object.entries(DATABASES)) {
  t.test(`retention of histories in ${kind}`, async (t) => {
    const database = await open(t);
    const { sql } = database;
    const { id: accountId } = await createAccount(sql, { name: 'Ada', plan: 'pro', monthlyQuota: null });
    for (let thing = 0; thing <= 3; thing += 1)
      await sql`
        insert into links (slug, account_id, destination) values (${slugOf(thing)}, ${accountId}, 'https://a.example/')`;

    await t.test('removes what was replaced before, but for the last of each thing', async (t) => {
      await fc.assert(
        fc.asyncProperty(history, async (entries) => {
          await write(database, accountId, entries);
          t.ok(await expireHistories(database, NOW, MONTHS));
          const links = await sql`
            select slug, change_id, at from link_history order by id`;
          t.strictSame(
            links.map((row) => ({ ...row })),
            leftOf(entries).map(({ thing, day, change }) => ({
              slug: slugOf(thing),
              changeId: changeId(change),
              at: new Date(CUTOFF_MS + day * DAY_MS),
            })),
          );
          const deadLinks = await sql`select at from dead_link_history order by id`;
          t.strictSame(
            deadLinks.map(({ at }) => at),
            leftOf(entries.filter(({ thing }) => thing === 0)).map(
              ({ day }) => new Date(CUTOFF_MS + day * DAY_MS),
            ),
          );
          const [counted] = await sql`
            select coalesce(sum(bytes), 0)::int as bytes, (select count(*)::int from link_history) as links
            from history_sizes where account_id = ${accountId}`;
          const own = entries.length === 0 ? 0 : counted!.links * ('https://example.com/'.length + 100);
          t.equal(counted!.bytes, own + 100 * deadLinks.length, 'what was removed does not count');
        }),
        { numRuns: 25 },
      );
    });

    await t.test('goes on where it stopped, once in steps of 500', async (t) => {
      const entries = Array.from({ length: 1200 }, () => ({ thing: 1, day: -3, change: null }));
      await write(database, accountId, entries);
      t.ok(await expireHistories(database, NOW, null));
      t.equal(
        (await sql`select from link_history`).length,
        1200,
        'without a number of months nothing is removed',
      );
      t.ok(await expireHistories(database, NOW, MONTHS));
      t.equal((await sql`select from link_history`).length, 2);
      const [place] = await sql`select after_id::int from history_retention where history = 'link_history'`;
      t.equal(place!.afterId, 0, 'the next run begins anew');
    });
  });
}
