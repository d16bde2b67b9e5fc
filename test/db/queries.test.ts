/** Every query of the tables for accounts, keys, folders, codes, logos and links, on both kinds of database. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Sql } from '../../src/db/client.ts';
import { decodeCursor, type Page, type PageRequest } from '../../src/db/cursor.ts';
import type { Database } from '../../src/db/database.ts';
import { BYTEA_ARRAY, TIMESTAMPTZ_ARRAY } from '../../src/db/statements.ts';
import {
  countAccounts,
  createAccount,
  getAccount,
  listAccounts,
  updateAccount,
} from '../../src/db/tables/accounts/accounts.ts';
import {
  findKeyByHash,
  insertKey,
  listKeys,
  revokeKey,
  touchKeys,
} from '../../src/db/tables/accounts/keys.ts';
import { removeRevokedKeys } from '../../src/db/tables/accounts/revoked-keys.ts';
import { BIN_DAYS, listBin, purgeBin, restoreFolder } from '../../src/db/tables/bin.ts';
import { changeCodes, deleteCodes, restoreCodes } from '../../src/db/tables/codes/chosen.ts';
import {
  deleteCode,
  eachCode,
  getCode,
  insertCodes,
  listCodes,
  type NewCode,
} from '../../src/db/tables/codes/codes.ts';
import { setCodeDesign } from '../../src/db/tables/codes/designs.ts';
import { changeFolder, deleteFolder, ensureFolder, getFolder } from '../../src/db/tables/folders.ts';
import { saveLinks } from '../../src/db/tables/links.ts';
import { deleteUnusedLogos, getLogo } from '../../src/db/tables/logos.ts';
import { expireCodes, type Retention } from '../../src/db/tables/retention.ts';
import { findTarget } from '../../src/db/tables/rules/targets.ts';
import type { Design } from '../../workers/protocol.ts';
import { embeddedDatabase, realDatabase } from '../support/database/database.ts';
import { fieldsOf } from '../support/fields-of.ts';

/** The target of a deleted link. */
const deletedLink = (firstSlug: string, accountId: string) => ({
  firstSlug,
  destination: null,
  accountId,
  deadLinkUrl: null,
  window: null,
  forward: null,
  guard: null,
  maxAgeS: 0,
});

const DESIGN: Design = {
  widthPx: 300,
  heightPx: 200,
  marginPx: null,
  shape: 'square',
  symbol: { typeNumber: 0, mode: null, levels: ['Q', 'M', 'L'] },
  dots: {
    type: 'rounded',
    roundSize: true,
    paint: { type: 'linear', rotationRad: 0.5, colorStops: [{ offset: 0, color: '#000000' }] },
  },
  cornersSquare: { type: null, paint: null },
  cornersDot: { type: 'dot', paint: '#ff0000' },
  background: { paint: '#ffffff', round: 0 },
  image: { size: 0.4, marginPx: 0, hideBackgroundDots: true },
};

const newSlug = () => randomBytes(16).toString('base64url').replaceAll(/[-_]/g, 'x').slice(0, 8);
const newHash = () => randomBytes(32);

const newCode = (position: number, more: Partial<NewCode> = {}): NewCode => ({
  position,
  content: `content ${position}`,
  link: null,
  design: DESIGN,
  logo: null,
  grade: 4,
  warnings: '',
  ...more,
});

const newLogo = (size: number) => {
  const png = randomBytes(size);
  return { png, widthPx: 20, heightPx: 10, sha256: createHash('sha256').update(png).digest() };
};

/** Follows the cursors from page to page, encoded as callers get them. */
const readPages = async <Row>(read: (request: PageRequest) => Promise<Page<Row>>, limit: number) => {
  const pages: (readonly Row[])[] = [];
  let after: PageRequest['after'] = null;
  for (;;) {
    const page: Page<Row> = await read({ after, limit });
    pages.push(page.rows);
    if (page.next === null) return pages;
    after = decodeCursor(page.next) ?? null;
    if (after === null) throw new Error('a cursor of ours could not be read');
  }
};

const suite = async (t: Test, { sql, changes, embedded }: Database) => {
  /** Permanently deletes what the tests have deleted so far. */
  const purge = () => purgeBin(sql, new Date(Date.now() + (BIN_DAYS + 1) * 86_400_000));
  const newAccount = () => createAccount(sql, { name: 'Ada', plan: 'pro', monthlyQuota: null });
  const newKey = (accountId: string, hash = newHash()) =>
    insertKey(sql, { accountId, name: 'main', prefix: 'tsr_abcd', hash, scopes: ['generate', 'manage'] });

  t.test('accounts', async (t) => {
    const before = await countAccounts(sql);
    const name = `Zoë ${randomUUID()}`;
    const account = await createAccount(sql, { name, plan: 'free', monthlyQuota: Number.MAX_SAFE_INTEGER });
    t.match(account, { name, plan: 'free', monthlyQuota: Number.MAX_SAFE_INTEGER, createdAt: Date });
    t.equal(await countAccounts(sql), before + 1);
    t.same(await getAccount(sql, account.id), account);
    // The test server folds only the case of ASCII letters.
    const search = embedded ? name.toUpperCase() : name.replace('Zo', 'ZO');
    t.same(fieldsOf((await listAccounts(sql, { after: null, limit: 5 }, search)).rows, 'id'), [account.id]);
    t.equal(await getAccount(sql, randomUUID()), null);

    t.test('a search finds all accounts, however many come before them', async (t) => {
      await sql`
        insert into accounts (name, plan, created_at)
        select case n % 400 when 0 then 'Rare 100%_x ' || n when 1 then 'q' else 'filler ' || n end, 'free',
          '2020-01-01'::timestamptz + n * interval '1 minute'
        from generate_series(1, 2500) as n`;
      const [last] = await sql<[{ id: string }]>`select id from accounts where name = 'filler 2500'`;
      const counts: readonly (readonly [string, number])[] = [
        ...[
          ['rare', 6],
          ['R', 2500 - 7],
          ['re 100%_X 2', 2],
          ['%', 6],
          ['\\', 0],
          ['Q', 7],
          ['_x', 6],
        ],
        ...[
          ['filler 24', 109],
          ['nothing', 0],
          ['FILLER', 2500 - 13],
          [last.id, 1],
          [last.id.toUpperCase(), 1],
        ],
      ] as [string, number][];
      for (const [text, count] of counts) {
        const pages = await readPages((request) => listAccounts(sql, request, text), 100);
        const found = pages.flat();
        t.equal(found.filter(({ createdAt }) => createdAt < new Date('2021-01-01')).length, count, text);
        t.strictSame(
          found.map(({ createdAt }) => createdAt.getTime()),
          found.map(({ createdAt }) => createdAt.getTime()).sort((a, b) => a - b),
        );
        t.equal(new Set(fieldsOf(found, 'id')).size, found.length);
      }
      await sql`delete from dead_link_history where account_id in (select id from accounts where created_at < '2021-01-01')`;
      await sql`delete from accounts where created_at < '2021-01-01'`;
    });

    t.test('a patch changes the given fields and nothing else', async (t) => {
      t.same(await updateAccount(sql, account.id, {}), account);
      t.same(await updateAccount(sql, account.id, { plan: 'pro' }), { ...account, plan: 'pro' });
      t.equal((await updateAccount(sql, account.id, { monthlyQuota: 0 }))?.monthlyQuota, 0);
      t.equal((await updateAccount(sql, account.id, { monthlyQuota: null }))?.monthlyQuota, null);
      t.equal((await updateAccount(sql, account.id, { name: 'Bob' }))?.name, 'Bob');
      const deadLinkUrl = 'https://example.com/gone';
      t.match(await updateAccount(sql, account.id, { deadLinkUrl }), { deadLinkUrl, name: 'Bob' });
      t.equal((await updateAccount(sql, account.id, { name: 'Eve' }))?.deadLinkUrl, deadLinkUrl);
      t.equal((await updateAccount(sql, account.id, { deadLinkUrl: null }))?.deadLinkUrl, null);
      t.equal(await updateAccount(sql, randomUUID(), { plan: 'pro' }), null);
    });
  });

  t.test('keys', async (t) => {
    const { id: accountId } = await newAccount();
    const hash = newHash();
    const key = await newKey(accountId, hash);
    t.match(key, {
      accountId,
      name: 'main',
      prefix: 'tsr_abcd',
      scopes: ['generate', 'manage'],
      lastUsedAt: null,
    });
    t.same(await findKeyByHash(sql, hash), {
      keyId: key.id,
      accountId,
      accountName: 'Ada',
      plan: 'pro',
      scopes: ['generate', 'manage'],
      rateLimitPerSecond: null,
      keyExpiresAt: null,
      keyQuota: null,
      makers: [],
      isSandbox: false,
      loadTests: false,
    });
    t.equal(await findKeyByHash(sql, newHash()), null);
    await t.rejects(newKey(accountId, hash), { code: '23505' }, 'a hash is stored only once');

    t.test('the time of last use only moves forward', async (t) => {
      const at = new Date('2030-01-02T03:04:05.678Z');
      await touchKeys(sql, new Map());
      await touchKeys(
        sql,
        new Map([
          [key.id, at],
          [randomUUID(), at],
        ]),
      );
      await touchKeys(sql, new Map([[key.id, new Date('2020-01-01')]]));
      t.same(
        (await listKeys(sql, accountId)).map((row) => row.lastUsedAt),
        [at],
      );
    });

    t.test('a key is revoked once, and only by its account or the operator', async (t) => {
      const other = await newAccount();
      const revoke = (id: string, accountId: string | null, withMade = false) =>
        revokeKey(sql, { id, accountId, withMade });
      t.equal(await revoke(key.id, other.id), false);
      t.not(await findKeyByHash(sql, hash), null);
      t.equal(await revoke(key.id, accountId), true);
      t.equal(await revoke(key.id, accountId), false);
      t.equal(await revoke(key.id, null), false);
      t.equal(await findKeyByHash(sql, hash), null);
      t.same(await listKeys(sql, accountId), []);
      t.equal(await revoke((await newKey(accountId)).id, null), true);
    });

    t.test(
      'of an account, the newest revoked keys are kept, and older ones that something names',
      async (t) => {
        const { id: mine } = await newAccount();
        const { id: others } = await newAccount();
        /** Makes keys that were revoked so many minutes ago. */
        const revoked = async (of: string, ...minutes: readonly number[]): Promise<readonly string[]> => {
          const made = await sql<{ id: string }[]>`
          insert into api_keys (account_id, name, prefix, hash, scopes, created_at, revoked_at)
          select ${of}, 'old', 'tsr_', sha256(gen_random_uuid()::text::bytea), '{generate}', now() - interval '20 hours',
            now() - minutes * interval '1 minute'
          from unnest(${minutes as number[]}::int[]) as m (minutes) returning id`;
          return fieldsOf(made, 'id');
        };
        const keysOf = async (of: string) =>
          new Set(
            fieldsOf(await sql<{ id: string }[]>`select id from api_keys where account_id = ${of}`, 'id'),
          );
        const young = await revoked(mine, 5, 6, 7);
        const named = await revoked(mine, 100, 200, 300, 400, 500, 600, 700);
        const [byHour = '', byDay = '', byHistory = '', byLink = '', byEdit = '', byKey = '', byItem = ''] =
          named;
        await revoked(mine, ...Array.from({ length: 1100 }, (_, i) => 90 + (i % 1000)));
        const few = await revoked(others, 300, 400);
        const usage = sql`calls, monthly, credits, refunded_monthly, refunded_credits, refunded_late`;
        await sql`
        insert into usage_hours (account_id, hour, key_id, kind, ${usage})
        values (${mine}, date_trunc('hour', now() - interval '5 hours', 'UTC'), ${byHour}, 'single', 1, 1, 0, 0, 0, 0)`;
        await sql`
        insert into usage_days (account_id, day, key_id, kind, ${usage})
        values (${mine}, (now() - interval '5 hours')::date, ${byDay}, 'single', 1, 1, 0, 0, 0, 0)`;
        await sql`insert into dead_link_history (account_id, key_id) values (${mine}, ${byHistory})`;
        const slug = randomBytes(4).toString('hex');
        await sql`
        insert into links (slug, account_id, destination, key_id) values (${slug}, ${mine}, 'https://a.example', ${byLink})`;
        await sql`insert into link_history (slug, destination, key_id) values (${slug}, 'https://a.example', ${byEdit})`;
        const made = await newKey(mine);
        await sql`update api_keys set makers = array[${byKey}::uuid] where id = ${made.id}`;
        await sql`insert into resolver_keys (path, account_id, shapes) values ('/01/09521321000018', ${mine}, '{}')`;
        const [item] = await sql<[{ id: string }]>`
        insert into resolver_items (account_id, key_path, path, links)
        values (${mine}, '/01/09521321000018', '/01/09521321000018', '[]') returning id`;
        await sql`
        insert into resolver_history (account_id, item_id, links, key_id) values (${mine}, ${item.id}, '[]', ${byItem})`;

        t.same(await removeRevokedKeys(sql), { removed: 110, isComplete: true });
        t.equal((await keysOf(mine)).size, 1000 + 1);
        t.same(await removeRevokedKeys(sql, 2), { removed: 990, isComplete: true });
        t.same(await keysOf(mine), new Set([...young, ...named, made.id]), 'one is too young');
        t.same(await keysOf(others), new Set(few), 'of others, who have few');

        const gone = (id: string) => async () => !(await keysOf(mine)).has(id);
        const frees: readonly (readonly [string, () => Promise<unknown>])[] = [
          [byHour, () => sql`delete from usage_hours where key_id = ${byHour}`],
          [byDay, () => sql`delete from usage_days where key_id = ${byDay}`],
          [byHistory, () => sql`delete from dead_link_history where key_id = ${byHistory}`],
          [byLink, () => sql`update links set key_id = null where slug = ${slug}`],
          [byEdit, () => sql`delete from link_history where slug = ${slug}`],
          [byKey, () => sql`update api_keys set revoked_at = now() where id = ${made.id}`],
          [byItem, () => sql`delete from resolver_items where id = ${item.id}`],
        ];
        for (const [id, free] of frees) {
          await free();
          t.equal((await removeRevokedKeys(sql, 2)).removed, 1);
          t.ok(await gone(id)());
        }
      },
    );
  });

  t.test('folders', async (t) => {
    const { id: accountId } = await newAccount();
    const other = await newAccount();

    t.test('twenty parallel calls for one name get the same folder', async (t) => {
      const made = await Promise.all(Array.from({ length: 20 }, () => ensureFolder(sql, accountId, 'same')));
      t.equal(new Set(made.map(({ id }) => id)).size, 1);
      t.same(await ensureFolder(sql, accountId, 'same'), made[0]);
      t.not((await ensureFolder(sql, other.id, 'same')).id, made[0]?.id, 'names are per account');
    });

    t.test('the counts of folders are those of their codes, whatever was done to these', async (t) => {
      const { id: accountId } = await newAccount();
      const names = ['one', 'two', 'three'];
      const step = fc.record({
        what: fc.constantFrom(
          'save',
          'save',
          'move',
          'delete',
          'restore',
          'drop',
          'bring back',
          'rename',
          'purge',
        ),
        folder: fc.nat({ max: 2 }),
        many: fc.integer({ min: 1, max: 4 }),
        isUndone: fc.boolean(),
      });
      const counted = () => sql`
        select f.id as folder_id, coalesce(sum(c.codes), 0)::bigint as codes, coalesce(sum(c.links), 0)::bigint as links
        from folders f left join folder_counts c on c.folder_id = f.id where account_id = ${accountId}
        group by 1 order by 1`;
      const real = () => sql`
        select f.id as folder_id, count(c.id) as codes, count(c.slug) as links
        from folders f left join codes c on c.folder_id = f.id and c.deleted_at is null where f.account_id = ${accountId}
        group by 1 order by 1`;
      const run = async (tx: Sql, { what, folder, many }: { what: string; folder: number; many: number }) => {
        const { id: folderId } = await ensureFolder(tx, accountId, names[folder]!);
        const idsOf = async (where: ReturnType<Sql>) =>
          fieldsOf(
            await tx<{ id: string }[]>`
              select c.id from codes c join folders f on f.id = c.folder_id
              where c.account_id = ${accountId} and ${where} order by random() limit ${many}`,
            'id',
          );
        const live: ReturnType<Sql> = sql`c.deleted_at is null and f.deleted_at is null`;
        if (what === 'save') {
          const link = () => ({ slug: newSlug(), destination: 'https://example.com', own: null });
          const codes = Array.from({ length: many }, (_, i) =>
            newCode(i, i % 2 === 0 ? { link: link() } : {}),
          );
          await insertCodes(tx, { accountId, folderId, keyId: null, codes });
        } else if (what === 'move') await changeCodes(tx, accountId, await idsOf(live), { folderId });
        else if (what === 'rename') await changeCodes(tx, accountId, await idsOf(live), { name: 'n' });
        else if (what === 'delete') await deleteCodes(tx, accountId, await idsOf(live));
        else if (what === 'restore') await restoreCodes(tx, accountId, await idsOf(sql`true`));
        else if (what === 'drop') await deleteFolder(tx, accountId, folderId);
      };
      const undo = new Error('undone');
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
          for (const each of steps) {
            const { what, isUndone } = each;
            if (what === 'purge') await purge();
            else if (what === 'bring back') {
              for (const { id } of (await listBin(sql, accountId, { after: null, limit: 50 })).rows)
                await restoreFolder({ sql, changes }, accountId, id);
            } else
              await sql
                .begin(async (tx) => {
                  await run(tx, each);
                  if (isUndone) throw undo;
                })
                .catch((error: unknown) => {
                  if (error !== undo) throw error;
                });
            const [shown, there] = [await counted(), await real()];
            if (!isDeepStrictEqual([...shown], [...there])) t.strictSame([...shown], [...there], what);
          }
        }),
        { numRuns: embedded ? 5 : 20 },
      );
      await sql`delete from folders where account_id = ${accountId}`;
      t.strictSame(
        [...(await sql`select from folder_counts where folder_id not in (select id from folders)`)],
        [],
      );
    });
  });

  t.test('codes', async (t) => {
    const { id: accountId } = await newAccount();
    const { id: keyId } = await newKey(accountId);
    const newFolder = async () => (await ensureFolder(sql, accountId, randomUUID())).id;
    const save = (folderId: string, codes: readonly NewCode[]) =>
      insertCodes(sql, { accountId, folderId, keyId, codes });

    t.test('a batch is saved completely, in its order, with links and logos', async (t) => {
      const folderId = await newFolder();
      const slug = newSlug();
      const logo = newLogo(5000);
      const codes = Array.from({ length: 100 }, (_, i) => newCode(i));
      codes[3] = newCode(3, {
        content: 'https://a.example/',
        link: { slug, destination: 'https://a.example/' },
      });
      codes[7] = newCode(7, { logo });
      codes[8] = newCode(8, { logo });
      const ids = await save(folderId, codes.toReversed());
      t.same(
        [...ids.keys()].sort((a, b) => a - b),
        codes.map((_, i) => i),
      );

      const pages = await readPages((request) => listCodes(sql, accountId, folderId, request), 33);
      t.same(
        pages.map((page) => page.length),
        [33, 33, 33, 1],
      );
      t.same(
        fieldsOf(pages.flat(), 'id'),
        codes.map((_, i) => ids.get(i)),
      );
      t.equal((await getFolder(sql, accountId, folderId))?.codeCount, 100);

      const dynamic = await getCode(sql, accountId, String(ids.get(3)));
      t.match(dynamic, { folderId, content: 'https://a.example/', dynamic: true, slug, position: 3 });
      t.equal(dynamic?.destination, 'https://a.example/');
      const withLogo = await getCode(sql, accountId, String(ids.get(8)));
      t.same(withLogo?.design, DESIGN);
      t.match(withLogo, { dynamic: false, slug: null, destination: null, widthPx: 300, heightPx: 200 });
      t.same(withLogo?.logoSha256, logo.sha256);
      t.same(await getLogo(sql, accountId, logo.sha256), { png: logo.png, widthPx: 20, heightPx: 10 });
    });

    t.test('later batches come after earlier ones, including page by page for an archive', async (t) => {
      const folderId = await newFolder();
      const ids = [];
      for (let batch = 0; batch < 3; batch += 1) {
        const saved = await save(folderId, [newCode(0), newCode(1)]);
        ids.push(saved.get(0), saved.get(1));
        // The next batch is at least a millisecond younger.
        await sql`select pg_sleep(0.002)`;
      }
      const seen = [];
      for await (const { id } of eachCode(sql, accountId, folderId, 4)) seen.push(id);
      t.same(seen, ids);
      for await (const _ of eachCode(sql, accountId, await newFolder(), 4))
        t.fail('an empty folder has no codes');
    });

    t.test('an item whose slug is in use is not saved, and the rest of the batch is', async (t) => {
      const folderId = await newFolder();
      const slug = newSlug();
      const dynamic = (position: number, destination: string, own = slug) =>
        newCode(position, { link: { slug: own, destination } });
      const first = await save(folderId, [dynamic(0, 'https://first.example/')]);
      const second = await save(folderId, [newCode(0), dynamic(1, 'https://second.example/'), newCode(2)]);
      t.same([...second.keys()].sort(), [0, 2]);
      t.equal((await findTarget(sql, slug))?.destination, 'https://first.example/');
      await deleteCode(sql, accountId, String(first.get(0)));
      t.equal(
        (await save(folderId, [dynamic(0, 'https://third.example/')])).size,
        0,
        'the slug of a deleted link is not free either',
      );
    });

    t.test('any text reads back unchanged', async (t) => {
      const folderId = await newFolder();
      const text = fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
        fc
          .array(fc.constantFrom('\0', '\\', '"', "'", '\u{feff}', '\u{10ffff}', '{', ',', '\r\n'), {
            minLength: 1,
          })
          .map((parts) => parts.join('')),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (texts) => {
          const ids = await save(
            folderId,
            texts.map((content, i) => newCode(i, { content })),
          );
          for (const [i, content] of texts.entries()) {
            const code = await getCode(sql, accountId, String(ids.get(i)));
            if (code?.content !== content) return false;
          }
          return true;
        }),
        { numRuns: 25 },
      );
      const longest = '\u{10ffff}'.repeat(4296);
      const ids = await save(folderId, [newCode(0, { content: longest })]);
      t.equal((await getCode(sql, accountId, String(ids.get(0))))?.content, longest);
    });

    t.test('deleting a folder deletes its codes and their links', async (t) => {
      const folderId = await newFolder();
      const slug = newSlug();
      const ids = await save(folderId, [newCode(0, { link: { slug, destination: 'https://a.example/' } })]);
      t.equal(await deleteFolder(sql, accountId, folderId), true);
      t.equal(await getCode(sql, accountId, String(ids.get(0))), null);
      t.same(await findTarget(sql, slug), deletedLink(slug, accountId));
      await purge();
      t.same(await findTarget(sql, slug), deletedLink(slug, accountId));
      await t.rejects(save(folderId, [newCode(0)]), { code: '23503' });
      const again = await save(await newFolder(), [
        newCode(0, { link: { slug, destination: 'https://b.example/' } }),
      ]);
      t.equal(again.size, 0, 'its slug is not assigned again');
    });

    t.test('of a purged link only its slugs and its account are left', async (t) => {
      const folderId = await newFolder();
      const [alone, together, other] = [newSlug(), newSlug(), newSlug()];
      const key = await newKey(accountId);
      const codes = [alone, other].map((slug, i) =>
        newCode(i, { link: { slug, destination: 'https://a.example/' } }),
      );
      const ids = await save(folderId, codes);
      const gone = await newFolder();
      await save(gone, [newCode(0, { link: { slug: together, destination: 'https://a.example/' } })]);
      for (const slug of [alone, together, other]) {
        await sql`update links set key_id = ${key.id} where slug = ${slug}`;
        const route = {
          destination: 'https://b.example/',
          activeFrom: null,
          activeUntil: null,
          forward: null,
        };
        const guard = { rules: null, ruleSetId: null, visitLimit: null, passwordHash: null };
        await saveLinks(
          sql,
          [{ ...route, ...guard, beforeDestination: null, afterDestination: null, slug, firstSlug: slug }],
          { keyId: key.id, changeId: null },
        );
        await sql`
          insert into scan_totals (slug, people, bots, previews, last_at) values (${slug}, 5, 0, 0, now())`;
      }
      const left = async (slug: string) => {
        const [row] = await sql<[{ destination: string; hasKey: boolean; entries: number; totals: number }]>`
          select destination, key_id is not null as has_key,
            (select count(*)::int from link_history where slug = l.slug) as entries,
            (select count(*)::int from scan_totals where slug = l.slug) as totals
          from links l where slug = ${slug}`;
        return { ...row };
      };
      const bytes = async () => {
        const [row] = await sql<[{ bytes: number }]>`
          select bytes from history_sizes where account_id = ${accountId}`;
        return row.bytes;
      };
      const whole = { destination: 'https://b.example/', hasKey: true, entries: 2, totals: 1 };
      const before = await bytes();
      await deleteCode(sql, accountId, String(ids.get(0)));
      await deleteFolder(sql, accountId, gone);
      for (const slug of [alone, together]) t.strictSame(await left(slug), whole, 'it may be restored');
      await purge();
      const noted = await sql<{ slug: string }[]>`
        select slug from gone_scans where account_id = ${accountId} and slug = any(${[alone, together, other]})`;
      t.strictSame(
        new Set(fieldsOf(noted, 'slug')),
        new Set([alone, together]),
        'their scans will be removed',
      );
      for (const slug of [alone, together]) {
        t.strictSame(await left(slug), { destination: '-', hasKey: false, entries: 0, totals: 0 });
        t.same(await findTarget(sql, slug), deletedLink(slug, accountId));
      }
      t.strictSame(await left(other), whole);
      t.equal(await bytes(), before - 4 * ('https://a.example/'.length + 100));
    });

    t.test('a logo is stored once, as long as a code that shows it exists or may be restored', async (t) => {
      const folderId = await newFolder();
      const logo = newLogo(100);
      const ids = await save(folderId, [newCode(0, { logo })]);
      const again = await save(folderId, [newCode(0, { logo })]);
      await deleteCode(sql, accountId, String(ids.get(0)));
      await purge();
      t.not(await getLogo(sql, accountId, logo.sha256), null, 'another code shows it');
      await deleteCode(sql, accountId, String(again.get(0)));
      t.equal(await deleteUnusedLogos(sql, accountId), 0, 'the code may be restored');
      await purge();
      t.equal(await getLogo(sql, accountId, logo.sha256), null);
    });

    t.test('a design is stored once, as long as a code that has it exists or may be restored', async (t) => {
      const { id: accountId } = await newAccount();
      const { id: folderId } = await ensureFolder(sql, accountId, 'x');
      const put = (codes: readonly NewCode[]) =>
        insertCodes(sql, { accountId, folderId, keyId: null, codes });
      const designs = async () => (await sql`select from designs where account_id = ${accountId}`).length;
      const other = { ...DESIGN, widthPx: 400 };
      const [first, second] = [await put([newCode(0), newCode(1)]), await put([newCode(0)])];
      t.equal(await designs(), 1);
      const restyle = (id: string | undefined, design: Design) =>
        sql.begin((tx) =>
          setCodeDesign(tx, accountId, String(id), { design, logo: null, grade: 3, warnings: 'x' }),
        );
      t.equal(await restyle(second.get(0), other), true);
      t.match(await getCode(sql, accountId, String(second.get(0))), {
        design: other,
        widthPx: 400,
        grade: 3,
      });
      t.equal(await designs(), 2);
      await restyle(second.get(0), DESIGN);
      t.equal(await designs(), 1, 'no code has the previous design any more');
      for (const id of first.values()) await deleteCode(sql, accountId, id);
      await purge();
      t.equal(await designs(), 1);
      await deleteCode(sql, accountId, String(second.get(0)));
      t.equal(await designs(), 1, 'the code may be restored');
      await purge();
      t.equal(await designs(), 0);
    });

    t.test('an id contains the time when its code was made, and its place in the call', async (t) => {
      const folderId = await newFolder();
      const before = Date.now() - 60_000;
      await save(folderId, [newCode(9999), newCode(3), newCode(4095)]);
      const { rows } = await listCodes(sql, accountId, folderId, { after: null, limit: 10 });
      t.same(fieldsOf(rows, 'position'), [3, 4095, 9999]);
      t.ok(
        rows.every(({ createdAt }) => createdAt.getTime() > before && createdAt.getTime() < before + 120_000),
      );
      t.ok(
        rows.every(({ id }) => /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)),
      );
    });

    t.test('old codes move to the bin, except in kept folders and with recently scanned links', async (t) => {
      const { id: accountId } = await newAccount();
      const folder = async (name: string) => (await ensureFolder(sql, accountId, name)).id;
      const [kept, other, empty, young] = [
        await folder('kept'),
        await folder('other'),
        await folder('empty'),
        await folder('young'),
      ];
      const [scanned, unscanned] = [newSlug(), newSlug()];
      const link = (position: number, slug: string) =>
        newCode(position, { content: slug, link: { slug, destination: 'https://a.example/' } });
      const put = (folderId: string, codes: readonly NewCode[]) =>
        insertCodes(sql, { accountId, folderId, keyId: null, codes });
      await put(kept, [newCode(0)]);
      await put(other, [
        ...Array.from({ length: 600 }, (_, i) => newCode(i)),
        link(600, scanned),
        link(601, unscanned),
      ]);
      await sql`
        update codes set id = code_id(now() - interval '3 months', code_place(id)) where account_id = ${accountId}`;
      await sql`
        update folders set created_at = now() - interval '3 months' where account_id = ${accountId} and id <> ${young}`;
      await put(other, [newCode(0, { content: 'new' })]);
      await sql`
        insert into scan_totals (slug, people, bots, previews, last_at)
        values (${scanned}, 1, 0, 0, now() - interval '1 month'), (${unscanned}, 1, 0, 0, now() - interval '4 months')`;
      t.match(await changeFolder(sql, accountId, kept, { keep: true }), {
        value: { name: 'kept', keep: true },
      });

      const expire = async (retention: Retention) => {
        const { expired, isComplete } = await expireCodes({ sql, changes }, new Date(), retention);
        t.equal(isComplete, true);
        return expired;
      };
      const left = async () =>
        Promise.all(
          [kept, other, empty, young].map(async (id) => (await getFolder(sql, accountId, id))?.codeCount),
        );
      t.equal(await expire({ codesMonths: null, linksMonths: null }), 0);
      t.equal(await expire({ codesMonths: 4, linksMonths: 4 }), 0);
      t.equal(await expire({ codesMonths: 2, linksMonths: null }), 600 + 1);
      t.same(await left(), [1, 3, undefined, 0], 'the old folder without codes is gone, too');
      t.equal(await expire({ codesMonths: 2, linksMonths: 2 }), 1);
      t.same(await left(), [1, 2, undefined, 0]);
      t.equal((await findTarget(sql, unscanned))?.destination, null);
      t.equal((await findTarget(sql, scanned))?.destination, 'https://a.example/');
      t.match((await listBin(sql, accountId, { after: null, limit: 1000 })).rows.length, 602);
      await changeFolder(sql, accountId, kept, { keep: false });
      t.equal(await expire({ codesMonths: 2, linksMonths: null }), 2, 'the code, and its folder');
    });
  });

  t.test('arrays read back unchanged', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
      fc.constantFrom('NULL', 'null', '', ' ', '"', '\\', '{}', ',', '\n'),
    );
    const rows = fc.record(
      {
        texts: fc.array(fc.option(text)),
        bytes: fc.array(fc.option(fc.uint8Array().map((bytes) => Buffer.from(bytes)))),
        times: fc.array(
          fc.option(fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })),
        ),
        numbers: fc.array(fc.option(fc.maxSafeInteger())),
        ids: fc.array(fc.option(fc.uuid())),
        flags: fc.array(fc.option(fc.boolean())),
      },
      { noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(rows, async (row) => {
        const [back] = await sql`
          select ${row.texts}::text[] as texts, ${sql.array(row.bytes, BYTEA_ARRAY)} as bytes,
            ${sql.array(row.times, TIMESTAMPTZ_ARRAY)} as times, ${row.numbers}::bigint[] as numbers,
            ${row.ids}::uuid[] as ids, ${sql.array(row.flags, 1000)} as flags`;
        return isDeepStrictEqual({ ...back }, row);
      }),
      { numRuns: 50 },
    );
  });

  t.test('a rolled back transaction changes nothing', async (t) => {
    const { id } = await newAccount();
    const failed = sql.begin(async (tx) => {
      await updateAccount(tx, id, { name: 'changed' });
      await changes.announce(tx, { kind: 'account', id });
      throw new Error('stop');
    });
    await t.rejects(failed, { message: 'stop' });
    t.equal((await getAccount(sql, id))?.name, 'Ada');
  });
};

t.test('on the embedded database', async (t) => suite(t, await embeddedDatabase(t)));
t.test('on a real Postgres', async (t) => suite(t, await realDatabase(t)));
