import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { UUID } from '../support/app/client.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { run, sharedListener } from './support.ts';

const { url: TESSERA_URL, account } = await sharedListener();
const { key: TESSERA_KEY } = await account({ plan: 'free', monthlyQuota: 20 });
const env = { TESSERA_URL, TESSERA_KEY };
const json = async (...args: readonly string[]) => {
  const ran = await run([...args, '--json'], env);
  if (ran.code !== 0) throw new Error(ran.err);
  return JSON.parse(ran.out);
};
const fails = async (...args: readonly string[]) => {
  const { code, err } = await run(args, env);
  return { code, err };
};

t.test('codes are created, shown, labelled and listed', async (t) => {
  const labels = ['--tag', 'summer', '--tag', 'a, b', '--external-id', 'table-7'];
  const link = ['--dynamic', '--slug', 'menu-7', '--name', 'Menu', '--folder', 'Tables'];
  const made = await json('codes', 'create', 'https://example.com/menu', ...link, ...labels);
  t.match(made, {
    ...{ id: UUID, slug: 'menu-7', name: 'Menu', dynamic: true },
    ...{ tags: ['summer', 'a, b'], external_id: 'table-7' },
  });
  t.strictSame(await json('codes', 'show', made.id), made);
  const unique = ['--external-id', 'table-7', '--unique'];
  t.match(await fails('codes', 'create', 'again', ...unique), { code: 1, err: new RegExp(made.id) });

  const other = await json('codes', 'create', 'plain', '--once', 'k');
  t.equal((await json('codes', 'create', 'plain', '--once', 'k')).id, other.id);
  const ids = async (...args: readonly string[]) =>
    (await json('codes', 'list', ...args)).map(({ id }: { readonly id: string }) => id);
  t.strictSame(await ids(), [other.id, made.id]);
  t.strictSame(await ids('--sort', 'oldest', '--limit', '1'), [made.id]);
  t.strictSame(await ids('--tag', 'a, b'), [made.id]);
  t.strictSame(await ids('--external-id', 'table-7', '--search', 'MENU'), [made.id]);
  t.strictSame(await ids('--folder-id', made.folder_id, '--max-grade', '4'), [made.id]);
  t.strictSame(await ids('--tag', 'other'), []);
  const { out } = await run(['codes', 'list'], env);
  t.match(out, /^ID +NAME +CONTENT +SLUG +GRADE +TAGS +EXTERNAL ID +CREATED\n/);
  t.match(out, /Menu +https:\/\/example.com\/menu +menu-7 +4 +summer,a, b +table-7 /);

  const changed = await json(
    'codes',
    'update',
    made.id,
    '--name',
    '',
    '--tag',
    'winter',
    '--external-id',
    '',
  );
  t.match(changed, { name: null, tags: ['winter'], external_id: null });
  t.strictSame((await json('codes', 'update', made.id, '--tag', '')).tags, []);
  t.match(await fails('codes', 'update', made.id), { code: 1, err: /send at least one field/ });
  t.match(await fails('codes', 'list', '--sort', 'color'), { code: 1, err: /sort: must be one of/ });
  t.match(await fails('codes', 'list', '--limit', '0'), { code: 2 });
});

t.test('a code with an own id is made once, and changed from then on', async (t) => {
  const set = (...args: readonly string[]) => json('codes', 'set', 'shelf/7 ü', ...args, '--dynamic');
  const made = await set('https://example.com/shelf', '--name', 'Shelf', '--tag', 'shelf');
  t.match(made, { id: UUID, external_id: 'shelf/7 ü', name: 'Shelf', tags: ['shelf'] });
  const changed = await set('https://example.com/moved');
  t.match(changed, { id: made.id, name: 'Shelf', destination: 'https://example.com/moved' });
  t.strictSame(await set('https://example.com/moved'), changed);
  const plain = await fails('codes', 'set', 'shelf/7 ü', 'no link');
  t.match(plain, { code: 1, err: /^tessera: / });
});

t.test('folders are listed with their ids and numbers of codes', async (t) => {
  for (const name of ['Chairs', 'Lamps']) await json('codes', 'create', name, '--folder', name);
  const [lamps, chairs] = await json('folders', 'list', '--limit', '2');
  t.match([lamps, chairs], [{ id: UUID, name: 'Lamps', code_count: 1 }, { name: 'Chairs' }]);
  t.strictSame(await json('folders', 'list', '--search', 'CHAIR'), [chairs]);
  t.match((await run(['folders', 'list'], env)).out, /^ID +NAME +CODES +CREATED\n/);
  t.equal((await fails('folders', 'list', '--limit', '0')).code, 2);
});

t.test('the picture of a new code is saved to a file', async (t) => {
  const folder = await temporaryFolder(t);
  const design = join(folder, 'design.json');
  await writeFile(design, '{"width": 200, "height": 200}');
  const png = join(folder, 'code.png');
  const saved = await json('codes', 'create', 'drawn', '--design', design, '--out', png);
  t.match(saved, { id: UUID, file: png, grade: 4 });
  t.equal(await decodePng(await readFile(png)), 'drawn');
  t.match(await json('codes', 'show', saved.id), { content: 'drawn', width: 200 });
  const { out } = await run(['codes', 'create', 'drawn', '--out', join(folder, 'code.SVG')], env);
  t.match(out, /^[0-9a-f-]{36} is saved; .*code\.SVG\n$/);
  t.match(await readFile(join(folder, 'code.SVG'), 'utf8'), /<svg/);
  t.match(await fails('codes', 'create', 'x', '--out', join(folder, 'code.gif')), { code: 2, err: /\.png/ });
  await writeFile(design, 'no JSON');
  t.match(await fails('codes', 'create', 'x', '--design', design), { code: 2, err: /is not JSON/ });
  t.match(await fails('codes', 'create', 'x', '--design', join(folder, 'none')), { code: 2 });
  const low = await fails('codes', 'create', 'x', '--out', png, '--external-id', '');
  t.match(low, { code: 1, err: /external_id: must be a text/ });
});

t.test('short links are listed, shown and changed', async (t) => {
  const { slug } = await json('codes', 'create', 'https://example.com/', '--dynamic', '--tag', 'door');
  const listed = await json('links', 'list', '--tag', 'door', '--status', 'active');
  t.strictSame(listed, [await json('links', 'show', slug)]);
  const until = '2020-01-01T00:00:00Z';
  const change = ['--destination', 'https://example.com/new', '--active-until', until, '--tag', 'gate'];
  t.match(await json('links', 'update', slug, ...change, '--slug', 'my-door'), {
    ...{ slug: 'my-door', destination: 'https://example.com/new', status: 'expired', tags: ['gate'] },
    active_until: '2020-01-01T00:00:00.000Z',
  });
  t.equal((await json('links', 'list', '--status', 'expired')).length, 1);
  t.equal((await json('links', 'update', 'my-door', '--active-until', '')).active_until, null);
  const passing = ['--forward', '{"query": "keep-own"}', '--after-destination', 'https://example.com/over'];
  t.match(await json('links', 'update', 'my-door', ...passing), {
    forward: { query: 'keep-own', path: false },
    after_destination: 'https://example.com/over',
  });
  const closed = await run(
    ['links', 'update', 'my-door', '--password-file', '-', '--forward', ''],
    env,
    undefined,
    ['open!\n'],
  );
  t.match(closed.out, /passes on +–\n[\s\S]*password +true\n/);
  const visit = (password: string) => {
    const body = new URLSearchParams({ password });
    return fetch(`${TESSERA_URL}/l/my-door`, { method: 'POST', body, redirect: 'manual' });
  };
  t.equal((await visit('open!')).status, 303);
  t.equal((await json('links', 'update', 'my-door', '--password-file', '')).has_password, false);
  t.match(await fails('links', 'update', 'my-door', '--forward', '{'), { code: 2, err: /must be JSON/ });
  t.match((await run(['links', 'show', 'my-door'], env)).out, /destination +https:\/\/example.com\/new\n/);
  t.match((await run(['links', 'list'], env)).out, /^SLUG +DESTINATION +NAME +STATUS +SCANS +TAGS /);
  t.match(await fails('links', 'show', 'nothing'), { code: 1, err: /no such short link/ });
  t.match(await run(['links', 'list'], { TESSERA_URL }), { code: 2, err: /no API key/ });
});

t.test('counters are created, raised and listed; a repeated --once gets the same numbers', async (t) => {
  t.match(await json('counters', 'set', 'serial', '1000'), { name: 'serial', next: 1000 });
  t.match(await fails('counters', 'set', 'serial', '999'), { code: 1, err: /must be at least 1000/ });
  t.match(await fails('counters', 'set', 'serial', 'x'), { code: 2 });
  const taken = await json('counters', 'take', 'serial', '250', '--once', 'k');
  t.strictSame(taken, { first: 1000, last: 1249 });
  t.strictSame(await json('counters', 'take', 'serial', '250', '--once', 'k'), taken);
  t.match(await json('counters', 'blocks', 'serial'), [{ first: 1000, last: 1249, batch_id: null }]);
  t.match((await run(['counters', 'list'], env)).out, /^NAME +NEXT +MADE\nserial +1250 /);
});

t.test('resolver items are imported, listed and exported', async (t) => {
  const file = join(await temporaryFolder(t), 'items.csv');
  const table = 'key,rel,href,title,hreflang,type,context,default\r\n';
  const row = '(01)09521321000018,gs1:pip,https://example.com/juice,Juice,en,text/html,,true\r\n';
  await writeFile(file, table + row);
  t.match(await json('resolver', 'import', file, '--dry-run'), { created: 1, dry_run: true });
  t.strictSame(await json('resolver', 'list'), []);
  t.match((await run(['resolver', 'import', file], env)).out, /^rows +1\n.*created +1\n/s);
  t.match(
    (await run(['resolver', 'list', '09521321000018'], env)).out,
    /^KEY +LEADS TO +LINKS +SCANS\n\(01\)/,
  );
  t.equal((await run(['resolver', 'export'], env)).out, table + row);
  await writeFile(file, 'key\n');
  t.match(await fails('resolver', 'import', file), { code: 1, err: /row 1: the column "rel" is missing/ });
});
