/** The bin: deleted things disappear everywhere, can be restored for a month, and are then purged. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Sql } from '../../../../src/db/client.ts';
import { BIN_DAYS, listBin, purgeBin } from '../../../../src/db/tables/bin.ts';
import { deleteCode } from '../../../../src/db/tables/codes/codes.ts';
import { createFolder, deleteFolder } from '../../../../src/db/tables/folders.ts';
import { listRestoredNames } from '../../../../src/db/tables/names.ts';
import { until, WITHIN_A_SECOND } from '../../../servers/until.ts';
import { type Answer, sharedApp, startApp, type TestApp } from '../../../support/app/app.ts';
import { newClient, RANDOM_ID, TIME } from '../../../support/app/client.ts';
import { openFor } from '../../../support/database/database.ts';
import { readZip } from '../../../support/files/zip.ts';

const gateway = await sharedApp();
const DAY_MS = 86_400_000;

/** The client of a new account. */
const newAccount = async () => {
  const client = await newClient(gateway, { credits: 10_000 });
  return {
    ...client,
    restore: (kind: 'folders' | 'codes', id: string) => client.post(`/${kind}/${id}/restore`),
    namesInBin: async () => (await client.get('/bin?limit=100')).json.data.map(({ name }) => name),
  };
};

/** By HEAD, which counts no scan. */
const follow = async (slug: string | null, app: TestApp = gateway) =>
  (await app.call({ method: 'HEAD', url: `/l/${slug}` })).status;

t.test('a deleted folder', async (t) => {
  const { get, post, patch, del, restore, bulk, namesInBin } = await newAccount();
  const { folderId, codes } = await bulk(['https://example.com/', 'plain'], 'Spring');
  const [dynamic, plain] = codes;

  t.test('disappears everywhere, with all its codes', async (t) => {
    t.equal(await follow(dynamic!.slug), 302);
    t.equal((await del(`/folders/${folderId}`)).status, 204);
    t.equal(await follow(dynamic!.slug), 404);
    const paths = [
      `/folders/${folderId}`,
      `/folders/${folderId}/codes`,
      `/folders/${folderId}/archive`,
      `/codes/${plain!.id}`,
      `/codes/${plain!.id}/image`,
      `/links/${dynamic!.slug}`,
      `/links/${dynamic!.slug}/history`,
      `/links/${dynamic!.slug}/scans`,
      `/codes?folder_id=${folderId}`,
    ];
    for (const path of paths) t.equal((await get(path)).status, 404, path);
    t.equal((await del(`/folders/${folderId}`)).status, 404);
    t.equal((await del(`/codes/${plain!.id}`)).status, 404);
    t.equal((await patch(`/folders/${folderId}`, { name: 'x' })).status, 404);
    t.equal((await patch(`/links/${dynamic!.slug}`, { destination: 'https://a.example/' })).status, 404);
    t.strictSame((await get('/folders')).json.data, []);
    t.strictSame((await get('/codes')).json.data, []);
    t.strictSame((await get('/codes?search=plain')).json.data, []);
    const into = await post('/qr/bulk', { folderId, items: [{ data: 'x' }] });
    const unknown = await post('/qr/bulk', { folderId: RANDOM_ID, items: [{ data: 'x' }] });
    t.strictSame([into.status, into.json], [400, unknown.json]);
  });

  t.test('is one entry of the bin', async (t) => {
    const { json } = await get('/bin');
    t.match(json, {
      data: [{ kind: 'folder', id: folderId, name: 'Spring', code_count: 2, deleted_at: TIME }],
      next_cursor: null,
    });
    const { deleted_at, expires_at } = json.data[0]!;
    t.equal(new Date(expires_at).getTime() - new Date(deleted_at).getTime(), BIN_DAYS * DAY_MS);
  });

  t.test('is restored unchanged', async (t) => {
    const restored = await restore('folders', folderId);
    t.match(restored, { status: 200, json: { id: folderId, name: 'Spring', code_count: 2 } });
    t.strictSame((await get(`/folders/${folderId}/codes`)).json.data, codes);
    t.equal(await follow(dynamic!.slug), 302);
    t.equal((await patch(`/links/${dynamic!.slug}`, { destination: 'https://a.example/' })).status, 200);
    t.strictSame(await namesInBin(), []);
    t.strictSame((await restore('folders', folderId)).json, restored.json, 'a repetition changes nothing');
  });
});

t.test('a deleted code', async (t) => {
  const { get, del, restore, bulk } = await newAccount();
  const { folderId, codes } = await bulk(['https://example.com/1', 'two', 'three'], 'Menus');
  const [one] = codes;

  t.test('disappears from its folder, and is restored into it', async (t) => {
    t.equal((await del(`/codes/${one!.id}`)).status, 204);
    t.equal(await follow(one!.slug), 404);
    t.equal((await get(`/codes/${one!.id}`)).status, 404);
    t.equal((await get(`/folders/${folderId}`)).json.code_count, 2);
    const files = await readZip((await get(`/folders/${folderId}/archive`)).bytes);
    t.strictSame(
      files.map((file) => file.name),
      ['00001-two.png', '00002-three.png', 'manifest.csv'],
    );
    const { json } = await get('/bin');
    t.strictSame(Object.keys(json.data[0]!), ['kind', 'id', 'name', 'deleted_at', 'expires_at']);
    t.match(json.data, [{ kind: 'code', id: one!.id, name: 'https://example.com/1' }]);

    const restored = await restore('codes', one!.id);
    t.equal(restored.status, 200);
    t.strictSame(restored.json, { ...one, folder_id: folderId });
    t.equal(await follow(one!.slug), 302);
    t.strictSame((await get(`/folders/${folderId}/codes`)).json.data, codes, 'at its old position');
    t.strictSame((await restore('codes', one!.id)).json, restored.json, 'restoring it again changes nothing');
  });
});

/** What an account should see, according to a model that knows nothing about storage. */
interface Model {
  readonly folders: Map<string, { name: string; isDeleted: boolean }>;
  readonly codes: Map<string, { folder: string; isDeleted: boolean }>;
}

type Step =
  | { readonly do: 'make'; readonly name: string }
  | {
      readonly do: 'delete folder' | 'restore folder' | 'delete code' | 'restore code';
      readonly pick: number;
    };

t.test('deleting and restoring, in any order, matches a model', async (t) => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('make' as const), name: fc.constantFrom('A', 'B') }),
    fc.record({
      do: fc.constantFrom('delete folder', 'restore folder', 'delete code', 'restore code'),
      pick: fc.nat(1000),
    }),
  );

  const liveFolder = ({ folders }: Model, name: string) =>
    [...folders].find(([, folder]) => folder.name === name && !folder.isDeleted)?.[0];
  const pickFrom = <V>(things: ReadonlyMap<string, V>, pick: number): [string, V] | undefined =>
    [...things][pick % Math.max(1, things.size)];

  const run = async (steps: readonly Step[]): Promise<void> => {
    const { get, del, restore, bulk } = await newAccount();
    const model: Model = { folders: new Map(), codes: new Map() };

    const perform: Record<Step['do'], (step: Step) => Promise<void>> = {
      async make(step) {
        if (!('name' in step)) return;
        const { folderId, codes } = await bulk(['x', 'y'], step.name);
        model.folders.set(folderId, { name: step.name, isDeleted: false });
        for (const { id } of codes) {
          if (!model.codes.has(id)) model.codes.set(id, { folder: folderId, isDeleted: false });
        }
      },
      async 'delete folder'(step) {
        const [id, folder] = ('pick' in step && pickFrom(model.folders, step.pick)) || [];
        if (id === undefined || folder === undefined) return;
        t.equal((await del(`/folders/${id}`)).status, folder.isDeleted ? 404 : 204);
        folder.isDeleted = true;
      },
      async 'restore folder'(step) {
        const [id, folder] = ('pick' in step && pickFrom(model.folders, step.pick)) || [];
        if (id === undefined || folder === undefined) return;
        const { json } = await restore('folders', id);
        const name = folder.isDeleted
          ? listRestoredNames(folder.name).find((name) => liveFolder(model, name) === undefined)!
          : folder.name;
        t.equal(json.name, name);
        model.folders.set(id, { name, isDeleted: false });
      },
      async 'delete code'(step) {
        const [id, code] = ('pick' in step && pickFrom(model.codes, step.pick)) || [];
        if (id === undefined || code === undefined) return;
        const isThere = !code.isDeleted && !model.folders.get(code.folder)!.isDeleted;
        t.equal((await del(`/codes/${id}`)).status, isThere ? 204 : 404);
        if (isThere) code.isDeleted = true;
      },
      async 'restore code'(step) {
        const [id, code] = ('pick' in step && pickFrom(model.codes, step.pick)) || [];
        if (id === undefined || code === undefined) return;
        const { json, status } = await restore('codes', id);
        t.equal(status, 200);
        const { name, isDeleted } = model.folders.get(code.folder)!;
        if (isDeleted) {
          const home = liveFolder(model, name) ?? json.folder_id;
          model.folders.set(home, { name, isDeleted: false });
          code.folder = home;
        }
        t.equal(json.folder_id, code.folder);
        code.isDeleted = false;
      },
    };
    for (const one of steps) await perform[one.do](one);

    const live = [...model.folders].filter(([, folder]) => !folder.isDeleted);
    const codesIn = (folder: string) =>
      [...model.codes].filter(([, code]) => code.folder === folder && !code.isDeleted).map(([id]) => id);
    const shown = (await get('/folders?limit=100')).json.data;
    t.strictSame(
      new Map(shown.map(({ id, name, code_count }) => [id, { name, count: code_count }])),
      new Map(live.map(([id, { name }]) => [id, { name, count: codesIn(id).length }])),
    );
    const all = (await get('/codes?limit=100')).json.data;
    t.strictSame(all.map(({ id }) => id).sort(), live.flatMap(([id]) => codesIn(id)).sort());
    const bin = (await get('/bin?limit=100')).json.data;
    t.strictSame(
      bin.map(({ id }) => id).sort(),
      [...model.folders, ...model.codes]
        .filter(([, thing]) => thing.isDeleted)
        .map(([id]) => id)
        .sort(),
    );
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await run(steps);
      return t.passing();
    }),
    { numRuns: 40 },
  );
});

t.test('on a real Postgres', async (t) => {
  const { sql } = await openFor(t, { url: gateway.databaseUrl, dataDir: '' });
  const later = (days: number) => new Date(Date.now() + days * DAY_MS);

  const { id: oldId, post, del } = await newAccount();
  await del(`/folders/${(await post('/folders', { name: 'Old' })).json.id}`);
  await sql`update folders set deleted_at = deleted_at - interval '31 days' where account_id = ${oldId}`;
  const there = await startApp(t, { DATABASE_URL: gateway.databaseUrl });

  t.test('a gateway purges when it starts', async () => {
    await until(async () => (await sql`select 1 from folders where account_id = ${oldId}`).length === 0);
  });

  t.test('links stop and resume working on every gateway', async (t) => {
    const { bulk, del, restore } = await newAccount();
    const { folderId, codes } = await bulk(['https://example.com/1', 'https://example.com/2'], 'Shared');
    const [one, two] = codes;
    for (const { slug } of codes) t.equal(await follow(slug, there), 302);
    await del(`/codes/${one!.id}`);
    await until(async () => (await follow(one!.slug, there)) === 404, WITHIN_A_SECOND);
    await restore('codes', one!.id);
    await until(async () => (await follow(one!.slug, there)) === 302, WITHIN_A_SECOND);
    await del(`/folders/${folderId}`);
    await until(async () => (await follow(two!.slug, there)) === 404, WITHIN_A_SECOND);
    await restore('folders', folderId);
    await until(async () => (await follow(two!.slug, there)) === 302, WITHIN_A_SECOND);
  });

  t.test('two folders with the same name can be restored at once', async (t) => {
    const { post, del, restore } = await newAccount();
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      const { json } = await post('/folders', { name: 'Same' });
      ids.push(json.id);
      await del(`/folders/${json.id}`);
    }
    const [first, second] = ids;
    const answers = await Promise.all([restore('folders', first!), restore('folders', second!)]);
    t.strictSame(answers.map(({ json }) => json.name).sort(), ['Same', 'Same (restored)']);
  });

  t.test('only deletions older than 30 days are purged', async (t) => {
    const account = await newAccount();
    const { bulk, del, restore, get } = account;
    const { folderId: kept, codes: keptCodes } = await bulk(['https://example.com/k', 'stays'], 'Kept');
    const { folderId: gone, codes: goneCodes } = await bulk(['https://example.com/g', 'x'], 'Gone');
    await del(`/codes/${keptCodes[0]!.id}`);
    await del(`/codes/${goneCodes[1]!.id}`);
    await del(`/folders/${gone}`);
    const rows = async (table: 'folders' | 'codes') =>
      (
        await sql<
          { count: number }[]
        >`select count(*) from ${sql.unsafe(table)} where account_id = ${account.id}`
      )[0]!.count;
    await purgeBin(sql, later(BIN_DAYS - 1));
    t.strictSame([await rows('folders'), await rows('codes')], [2, 4], 'nothing is purged a day earlier');

    const allRows = async () =>
      (
        await sql<{ count: number }[]>`
          select (select count(*) from folders) + (select count(*) from codes) as count`
      )[0]!.count;
    const before = await allRows();
    const { purged } = await purgeBin(sql, later(BIN_DAYS + 1));
    t.equal(purged, before - (await allRows()), 'including what earlier tests deleted');
    t.strictSame([await rows('folders'), await rows('codes')], [1, 1]);
    t.equal((await restore('folders', gone)).status, 404);
    t.equal((await restore('codes', keptCodes[0]!.id)).status, 404);
    t.match((await get(`/folders/${kept}`)).json, { name: 'Kept', code_count: 1 });
    t.match(await purgeBin(sql, later(BIN_DAYS + 1)), { purged: 0, isComplete: true });
    const [link] = await sql<{ deletedAt: Date | null }[]>`
      select deleted_at from links where slug = ${goneCodes[0]!.slug}`;
    t.ok(link?.deletedAt, 'a slug stays reserved, so that it is never reused');
  });

  t.test('expired deletions cannot be seen or restored even before they are purged', async (t) => {
    const { id, bulk, get, post, del, restore, namesInBin } = await newAccount();
    const { folderId, codes } = await bulk(['a', 'b'], 'Old');
    await del(`/codes/${codes[0]!.id}`);
    await del(`/folders/${folderId}`);
    const age = async (t: Test, table: 'folders' | 'codes') => {
      const { count } = await sql`
        update ${sql.unsafe(table)} set deleted_at = deleted_at - interval '30 days' where account_id = ${id}
        and deleted_at is not null`;
      t.equal(count, 1);
    };
    await age(t, 'codes');
    t.strictSame(await namesInBin(), ['Old']);
    t.equal((await restore('codes', codes[0]!.id)).status, 404);
    await age(t, 'folders');
    t.strictSame(await namesInBin(), []);
    t.equal((await restore('folders', folderId)).status, 404);
    t.equal((await restore('codes', codes[1]!.id)).status, 404);
    t.strictSame((await listBin(sql, id, { after: null, limit: 10 })).rows, []);
    const young = (await bulk(['c'], 'New')).codes[0]!.id;
    await del(`/codes/${young}`);
    t.equal((await post('/codes/restore', { ids: [young, codes[1]!.id] })).status, 404);
    t.equal((await get(`/codes/${young}`)).status, 404, 'nor is a young code beside an expired one');
  });

  /** Changes a row in a transaction that commits once the restore waits for it. Returns the answer of the restore. */
  const restoreDuring = async (change: (tx: Sql) => Promise<unknown>, restore: () => Promise<Answer>) => {
    let restoring: Promise<Answer> | undefined;
    await sql.begin(async (tx) => {
      await change(tx);
      restoring = restore();
      await until(async () => {
        const waiting = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return waiting.length > 0;
      });
    });
    return restoring!;
  };

  t.test('a restore that waits for a concurrent deletion still restores', async (t) => {
    const { bulk, restore, id: accountId } = await newAccount();
    const { folderId, codes } = await bulk(['https://example.com/both'], 'Both');
    const codeId = codes[0]!.id;
    const code = () => restore('codes', codeId);
    const restored = await restoreDuring((tx) => deleteCode(tx, accountId, codeId), code);
    t.match(restored, { status: 200, json: { id: codeId, folder_id: folderId } });

    const deletion = (tx: Sql) => deleteFolder(tx, accountId, folderId);
    const folder = await restoreDuring(deletion, () => restore('folders', folderId));
    t.match(folder, { status: 200, json: { id: folderId, name: 'Both', code_count: 1 } });

    const moved = await restoreDuring(deletion, code);
    t.match(moved, { status: 200, json: { id: codeId } });
    t.not(moved.json.folder_id, folderId, 'into a new folder of that name');

    const { folder_id: second } = moved.json;
    await deleteFolder(sql, accountId, second);
    const { id: third } = (await createFolder(sql, accountId, 'Both'))!;
    const last = await restoreDuring((tx) => deleteFolder(tx, accountId, third), code);
    t.match(last, { status: 200, json: { id: codeId } });
    t.notOk([folderId, second, third].includes(last.json.folder_id), 'not into the folder being deleted');
  });

  t.test('a code that another call restores into another folder meanwhile is still found', async (t) => {
    const { bulk, get, post, restore, id: accountId } = await newAccount();
    const { folderId, codes } = await bulk(['x', 'y'], 'Twice');
    const [x, y] = codes.map(({ id }) => id);
    const { id: other } = (await createFolder(sql, accountId, 'Other'))!;
    await deleteFolder(sql, accountId, folderId);
    const move = (id: string) => (tx: Sql) =>
      tx`
      update codes set folder_id = ${other} where account_id = ${accountId} and id = ${id} and deleted_at is null`;
    const restored = await restoreDuring(move(x!), () => restore('codes', x!));
    t.match(restored, { status: 200, json: { id: x, folder_id: other } });
    const both = await restoreDuring(move(y!), () => post('/codes/restore', { ids: [x, y] }));
    t.match(both, { status: 200 }, both.text);
    t.equal((await get(`/codes/${y}`)).json.folder_id, other);
  });
});
