/** Tags and external ids, by which codes and links are found. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { CODE_SORTS, type CodeSort } from '../../../../src/db/tables/codes/walks.ts';
import { toTags } from '../../../../src/db/tables/names.ts';
import { newSender } from '../../../batches/support.ts';
import { until } from '../../../servers/until.ts';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient, RANDOM_ID } from '../../../support/app/client.ts';
import { PHONE_BROWSER } from '../../../support/browser/phone-browser.ts';
import { fieldsOf } from '../../../support/fields-of.ts';
import { readZip } from '../../../support/files/zip.ts';

const gateway = await sharedApp();
/** Returns the named fields of each row. */
const pick = <Row extends object>(rows: readonly Row[], ...names: readonly (keyof Row)[]) =>
  rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));

const newAccount = (wanted: Parameters<typeof newClient>[1] = { credits: 1000 }) =>
  newClient(gateway, wanted);

t.test('tags are stored trimmed and in NFC, without duplicates, at most 20 of 64 characters', async () => {
  const isTag = (text: string): boolean => {
    const { length } = [...text.normalize('NFC').trim()];
    return text.isWellFormed() && !/\p{Cc}/u.test(text) && length >= 1 && length <= 64;
  };
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 70 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.constantFrom('summer', ' summer', 'Cafe\u0301', 'Caf\u00e9', '\ud800', 'a\nb'),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 22 }), (texts) => {
      const stored = texts.map((each) => each.normalize('NFC').trim());
      const isFine = texts.length <= 20 && texts.every(isTag) && new Set(stored).size === texts.length;
      const tags = toTags(texts);
      return tags.ok ? isFine && isDeepStrictEqual(tags.value, stored) : !isFine;
    }),
    { numRuns: 1000 },
  );
});

t.test('any tags are read back as they were stored', async (t) => {
  const { get, post, patch } = await newAccount();
  const { id } = (await post('/codes', { data: 'x', tags: ['a'] })).json;
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom('NULL', 'null', '{}', '"', '\\', ',', "'", '{"a"}', 'a, b', '%', '☃'),
  );
  const lists = fc.array(text, { maxLength: 5 }).filter((texts) => toTags(texts).ok);
  await fc.assert(
    fc.asyncProperty(lists, async (tags) => {
      const patched = await patch(`/codes/${id}`, { tags });
      t.strictSame(
        patched.json.tags,
        tags.map((tag) => tag.normalize('NFC').trim()),
      );
      const made = await post('/codes', { data: 'y', tags });
      t.strictSame(made.json.tags, patched.json.tags);
      for (const tag of tags) {
        const { data } = (await get(`/codes?limit=1&tag=${encodeURIComponent(tag)}`)).json;
        t.equal(data[0]?.id, made.json.id, 'the newest code with this tag');
      }
    }),
    { numRuns: 25 },
  );
});

t.test('a code gets, changes and loses its labels', async (t) => {
  const { get, post, patch } = await newAccount();
  const { json: made } = await post('/codes', { data: 'https://example.com/', dynamic: true });
  t.match(made, { tags: [], external_id: null });
  const path = `/codes/${made.id}`;
  const labelled = (await patch(path, { tags: [' a ', 'b'], external_id: 'own' })).json;
  t.match(labelled, { tags: ['a', 'b'], external_id: 'own', content: 'https://example.com/' });
  t.not(labelled.etag, made.etag);
  const link = (await get(`/links/${made.slug}`)).json;
  t.match(link, { tags: ['a', 'b'], external_id: 'own', folder_id: made.folder_id, code_id: made.id });

  const stale = { 'if-match': link.etag };
  const edited = await patch(`/links/${made.slug}`, { tags: ['c'] }, stale);
  t.match(edited, { status: 200, json: { tags: ['c'], external_id: 'own', destination: made.destination } });
  t.equal((await patch(`/links/${made.slug}`, { tags: [] }, stale)).status, 412);
  t.match((await get(path)).json, { tags: ['c'], external_id: 'own' });
  t.equal((await get(`/links/${made.slug}/history`)).json.data.length, 1, 'labels are not in the history');
  const both = { external_id: null, destination: 'https://example.com/b' };
  t.match((await patch(`/links/${made.slug}`, both)).json, { tags: ['c'], ...both });
  t.match((await patch(path, { tags: [] })).json, { tags: [], external_id: null });

  await post('/codes', { data: 'https://example.com/', dynamic: true, slug: 'labels-taken' });
  const refused = { tags: ['refused'], external_id: 'refused', slug: 'labels-taken' };
  t.equal((await patch(`/links/${made.slug}`, refused)).status, 409);
  t.match((await get(path)).json, { tags: [], external_id: null }, 'a refused edit changes nothing');

  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ tags: ['a', 'a '] }, /^tags\.1: is there already/],
    [{ tags: ['a', ''] }, /^tags\.1: must have 1 to 64/],
    [{ tags: ['x'.repeat(65)] }, /^tags\.0: /],
    [{ tags: ['a\u0000'] }, /^tags\.0: /],
    [{ tags: 'a' }, /^tags: must be a list/],
    [{ tags: null }, /^tags: must be a list/],
    [{ tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, /^tags: must have at most 20 items/],
    [{ external_id: '' }, /^external_id: /],
    [{ external_id: 'a\u0000' }, /^external_id: /],
  ];
  for (const [body, details] of wrong) {
    for (const answer of [
      await patch(path, body),
      await patch(`/links/${made.slug}`, body),
      await post('/codes', { data: 'x', ...body }),
    ])
      t.match(answer, { status: 400, json: { details } }, JSON.stringify(body).slice(0, 80));
  }
});

t.test('lists of codes and links contain what a model expects, for any filter and sort', async (t) => {
  const account = await newAccount();
  const { get, post } = account;
  const stranger = await newAccount();
  const TAGS = ['a', 'b', 'c'];
  const folders = await Promise.all(
    ['One', 'Two'].map(async (name) => (await post('/folders', { name })).json.id),
  );
  const codes: {
    readonly id: string;
    readonly slug: string | null;
    readonly tags: readonly string[];
    readonly external_id: string | null;
    readonly folder_id: string;
    readonly name: string | null;
    readonly content: string;
  }[] = [];
  const some = fc.sample(
    fc.record({
      tags: fc.subarray(TAGS),
      external_id: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
      folder_id: fc.constantFrom(...folders),
      name: fc.option(fc.constantFrom('Alpha', 'Beta', 'Gamma'), { nil: undefined }),
      dynamic: fc.boolean(),
      data: fc.constantFrom('https://example.com/one', 'https://example.com/two'),
    }),
    { numRuns: 20, seed: 7 },
  );
  for (const body of some) codes.push((await post('/codes', body)).json);
  const theirs = { data: 'https://example.com/one', dynamic: true, external_id: 'x' };
  for (const tag of TAGS) await stranger.post('/codes', { ...theirs, tags: [tag] });

  const readAll = async (list: 'codes' | 'links', query: Readonly<Record<string, string>>) => {
    const found: string[] = [];
    const asked = new URLSearchParams(query);
    for (let page = 0; page < 60; page += 1) {
      const { status, json, text } = await get(`/${list}?${asked}`);
      if (status !== 200) throw new Error(text);
      found.push(...json.data.map((row) => (list === 'codes' ? row.id : row.slug)));
      if (json.next_cursor === null) return found;
      asked.set('cursor', json.next_cursor);
    }
    throw new Error('the list does not end');
  };
  const filters = fc.record(
    {
      tag: fc.constantFrom(...TAGS, 'none'),
      external_id: fc.constantFrom('x', 'y', 'z'),
      folder_id: fc.constantFrom(...folders),
      search: fc.constantFrom('one', 'TWO', 'beta', 'nothing at all'),
    },
    { requiredKeys: [] },
  );
  const sorts = fc.constantFrom<CodeSort>(...CODE_SORTS);
  const lists = fc.constantFrom('codes' as const, 'links' as const);
  const limits = fc.constantFrom('1', '7', '100');
  await fc.assert(
    fc.asyncProperty(filters, sorts, lists, limits, async (filter, sort, list, limit) => {
      const { tag, external_id, folder_id, search } = filter;
      const wanted = codes.filter(
        (code) =>
          (tag === undefined || code.tags.includes(tag)) &&
          (external_id === undefined || code.external_id === external_id) &&
          (folder_id === undefined || code.folder_id === folder_id) &&
          (search === undefined ||
            `${code.content} ${code.name ?? ''}`.toLowerCase().includes(search.toLowerCase())) &&
          (list === 'codes' || code.slug !== null),
      );
      const expected = wanted.map((code) => (list === 'codes' ? code.id : String(code.slug)));
      const query = Object.fromEntries(
        Object.entries({ ...filter, sort, limit }).filter(([, value]) => value !== undefined),
      ) as Readonly<Record<string, string>>;
      const found = await readAll(list, query);
      const where = `${list} ${JSON.stringify(query)}`;
      if (sort === 'oldest') t.strictSame(found, expected, where);
      else if (sort === 'newest') t.strictSame(found, expected.toReversed(), where);
      else t.strictSame(found.toSorted(), expected.toSorted(), where);
    }),
    { numRuns: 150 },
  );
});

t.test('links are listed with their labels and by their status', async (t) => {
  const { get, post, patch, del } = await newAccount();
  const make = async (name: string) =>
    (await post('/codes', { data: 'https://example.com/', dynamic: true, name, tags: [name] })).json;
  const [active, scheduled, expired, gone] = [
    await make('active'),
    await make('scheduled'),
    await make('expired'),
    await make('gone'),
  ];
  await post('/codes', { data: 'static' });
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  await patch(`/links/${active.slug}`, { active_from: hour(-1), active_until: hour(1) });
  await patch(`/links/${scheduled.slug}`, { active_from: hour(1) });
  await patch(`/links/${expired.slug}`, { active_until: hour(-1) });
  await del(`/codes/${gone.id}`);
  const all = (await get('/links')).json;
  t.strictSame(fieldsOf(all.data, 'slug'), [expired.slug, scheduled.slug, active.slug]);
  t.equal(all.next_cursor, null);
  for (const link of all.data) t.strictSame(link, (await get(`/links/${link.slug}`)).json);
  for (const { slug, name } of [active, scheduled, expired]) {
    const { data } = (await get(`/links?status=${name}`)).json;
    t.strictSame(pick(data, 'slug', 'status', 'tags'), [{ slug, status: name, tags: [name] }]);
  }
  t.strictSame((await get('/links?status=expired&tag=active')).json.data, []);
  for (const query of ['status=off', 'tag=', `tag=${'x'.repeat(65)}`, 'max_grade=2', 'tag=a&tag=b'])
    t.equal((await get(`/links?${query}`)).status, 400, query);
  t.equal((await get(`/links?folder_id=${RANDOM_ID}`)).status, 404);
  const first = (await get('/links?limit=1')).json.next_cursor;
  t.equal((await get(`/links?limit=1&tag=active&cursor=${first}`)).status, 400, 'a cursor of another list');
});

t.test('links are listed by what they have, and by their last change', async (t) => {
  const account = await newAccount();
  const { get, post, patch } = account;
  const make = async (name: string) =>
    (await post('/codes', { data: 'https://example.com/', dynamic: true, name, folder_name: 'Menus' })).json
      .slug!;
  const [plain, own, shared, full] = [await make('a'), await make('b'), await make('c'), await make('d')];
  const rules = [{ name: 'android', when: { device: ['android'] }, destination: 'https://example.com/app' }];
  const set = (await post('/rule-sets', { name: 'Apps', rules })).json.id;
  await patch(`/links/${full}`, { visit_limit: 1 });
  await patch(`/links/${shared}`, { rule_set_id: set });
  await patch(`/links/${own}`, { rules });
  t.equal((await get(`/links/${full}`)).json.status, 'active');
  await gateway.call({ url: `/l/${full}`, headers: { 'user-agent': PHONE_BROWSER } });
  await until(async () => ((await get(`/links/${full}`)).json.status as unknown) === 'limit_reached');
  const listed = async (query: string) => {
    const { status, json, text } = await get(`/links?${query}`);
    if (status !== 200) throw new Error(text);
    t.equal(json.next_cursor, null);
    return fieldsOf(json.data, 'slug');
  };
  t.strictSame(await listed('has_rules=true'), [shared, own]);
  t.strictSame(await listed('has_rules=false'), [full, plain]);
  t.strictSame(await listed(`rule_set_id=${set}`), [shared]);
  t.strictSame(await listed('status=limit_reached'), [full]);
  t.strictSame(await listed('status=active'), [shared, own, plain]);
  t.strictSame(await listed('status=active&has_rules=true&search=b'), [own]);
  t.strictSame(await listed('domain=shared'), [full, shared, own, plain]);
  t.strictSame(await listed('sort=changed'), [own, shared, full, plain]);
  t.strictSame(await listed('sort=changed&has_rules=false'), [full, plain]);
  const first = (await get('/links?sort=changed&limit=2')).json;
  t.strictSame(await listed(`sort=changed&limit=2&cursor=${first.next_cursor}`), [full, plain]);
  t.match((await get(`/links/${own}`)).json, { name: 'b', folder: 'Menus' });
  for (const query of ['domain=nobody.example', `rule_set_id=${RANDOM_ID}`])
    t.equal((await get(`/links?${query}`)).status, 404, query);
  t.equal((await get('/codes?sort=changed')).status, 400, 'codes do not change');
  const stranger = await newAccount();
  t.equal((await stranger.get(`/links?rule_set_id=${set}`)).status, 404);
  for (const query of ['has_rules=true', 'status=limit_reached', 'sort=changed', `search=${own}`])
    t.strictSame((await stranger.get(`/links?${query}`)).json.data, [], query);
});

t.test('a tag can be sent instead of ids in calls for many codes', async (t) => {
  const { get, post, patch, del } = await newAccount();
  const make = async (data: string, tags: readonly string[]) =>
    (await post('/codes', { data, dynamic: data.startsWith('https:'), tags })).json;
  const tagged = [await make('https://example.com/1', ['t', 'u']), await make('two', ['t'])];
  const untagged = await make('https://example.com/3', ['T']);
  await (await newAccount()).post('/codes', { data: 'theirs', tags: ['t'] });
  const { id: folder } = (await post('/folders', { name: 'Tagged' })).json;

  t.strictSame((await post('/codes/move', { tag: ' t', folder_id: folder })).json, { codes: 2 });
  t.strictSame(
    fieldsOf((await get(`/codes?folder_id=${folder}&sort=oldest`)).json.data, 'id'),
    fieldsOf(tagged, 'id'),
  );
  t.match((await post('/codes/links-summary', { tag: 't' })).json, { links: 1 });
  const zip = await readZip((await post('/codes/archive', { tag: 't' })).bytes);
  t.equal(zip.length, 3, 'two pictures and the manifest');
  await post('/codes', { data: 'in the folder', folder_id: folder, tags: ['other'] });
  const ofFolder = await readZip((await get(`/folders/${folder}/archive?tag=t`)).bytes);
  t.strictSame(fieldsOf(ofFolder, 'name'), fieldsOf(zip, 'name'));
  t.equal((await get(`/folders/${folder}/archive?tag=`)).status, 400);
  const verification = await post('/code-verifications', { tag: 't' });
  t.match(verification, { status: 202, json: { total: 2 } });
  t.equal((await post('/code-verifications', { ids: fieldsOf(tagged, 'id') })).json.id, verification.json.id);
  const change = { destination: 'https://example.com/new' };
  t.match((await patch('/links', { tag: 't', change })).json, { links: 1, changed: 1 });
  t.equal((await get(`/links/${untagged.slug}`)).json.destination, 'https://example.com/3');
  t.match((await patch('/links', { tag: 'none', change })).json, { links: 0, changed: 0 });

  for (const body of [{}, { ids: [untagged.id], tag: 't' }, { tag: '' }, { tag: 'a\u0000' }]) {
    for (const path of ['delete', 'archive', 'links-summary'])
      t.equal((await post(`/codes/${path}`, body)).status, 400, `${path} ${JSON.stringify(body)}`);
  }
  t.equal((await patch('/links', { tag: 't', folder_id: folder, change })).status, 400);
  t.match((await post('/codes/delete', { tag: 'none' })).json, { details: 'tag: none of your codes has it' });
  t.equal((await post('/codes/restore', { tag: 't' })).status, 400, 'only ids name codes in the bin');
  t.strictSame((await post('/codes/delete', { tag: 't' })).json, { codes: 2, links: 1 });
  t.strictSame(fieldsOf((await get('/codes')).json.data, 'content'), ['in the folder', untagged.content]);
  t.equal((await post('/codes/delete', { tag: 't' })).status, 404);
  t.equal((await del(`/codes/${untagged.id}`)).status, 204);
});

t.test('a row of a batch labels its code with its id and its tags', async (t) => {
  const { get, make } = await newSender(gateway);
  const rows = [
    { data: 'one', external_id: 'A-1', tags: [' new ', 'red'] },
    { data: 'two', external_id: '' },
    { data: 'three' },
  ];
  t.match(await make(rows), { state: 'done' });
  const { data } = (await get('/codes?sort=oldest')).json;
  t.strictSame(pick(data, 'content', 'external_id', 'tags'), [
    { content: 'one', external_id: 'A-1', tags: ['new', 'red'] },
    { content: 'two', external_id: null, tags: [] },
    { content: 'three', external_id: null, tags: [] },
  ]);
  t.strictSame(fieldsOf((await get('/codes?external_id=A-1')).json.data, 'content'), ['one']);
});
