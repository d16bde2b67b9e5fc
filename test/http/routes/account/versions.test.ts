/** Concurrent edits of one resource: the second is refused, and the first is kept. */
import t from 'tap';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';

const { get, post, put, patch, del } = await newClient(await sharedApp(), { monthlyQuota: 100 });
const ifMatch = (etag: unknown) => ({ 'if-match': String(etag) });

const item = { data: 'https://example.com/', dynamic: true };
const bulk = await post('/qr/bulk', { folderName: 'Codes', items: [item, item] });
const folderId = bulk.json.meta.folder_id;
const codes = (await get(`/folders/${folderId}/codes`)).json.data;
const folder = await post('/folders', { name: 'Folder' });
const preset = await post('/presets', { name: 'Preset', options: {} });
const profile = await post('/print-profiles', { name: 'Profile', options: {} });

interface Resource {
  readonly path: string;
  readonly send?: typeof put;
  readonly edit?: string;
  /** A change that results in a different state for each number. */
  readonly change: (n: number) => object;
}

const resources: Readonly<Record<string, Resource>> = {
  link: { path: `/links/${codes[0]!.slug}`, change: (n) => ({ destination: `https://example.com/${n}` }) },
  folder: { path: `/folders/${folder.json.id}`, change: (n) => ({ name: `Folder ${n}` }) },
  code: { path: `/codes/${codes[0]!.id}`, change: (n) => ({ name: `Code ${n}` }) },
  design: {
    path: `/codes/${codes[1]!.id}`,
    ...{ edit: '/design', send: put },
    change: (n) => ({ width: 300 + n }),
  },
  preset: { path: `/presets/${preset.json.id}`, change: (n) => ({ name: `Preset ${n}` }) },
  'print profile': {
    path: `/print-profiles/${profile.json.id}`,
    change: (n) => ({ options: { width: 300 + n } }),
  },
};

for (const [name, { path, send = patch, edit = '', change }] of Object.entries(resources)) {
  const write = (n: number, headers?: Record<string, string>) => send(`${path}${edit}`, change(n), headers);

  t.test(`an edit of a ${name} based on an outdated version is refused`, async (t) => {
    const read = await get(path);
    t.match(read.headers.etag, /^"[\w-]{27}\.[\w-]{8}"$/);
    t.equal(read.json.etag, String(read.headers.etag).replace(/\..*"/, '"'));
    for (const tag of [
      read.headers.etag,
      `W/${read.headers.etag}`,
      `"x", ${read.headers.etag}`,
      '*',
      read.json.etag,
    ]) {
      const again = await get(path, { 'if-none-match': String(tag) });
      t.strictSame([again.status, again.text, again.headers.etag], [304, '', read.headers.etag], String(tag));
    }
    t.equal((await get(path, { 'if-none-match': '"x"' })).status, 200);
    const first = await write(1, ifMatch(read.headers.etag));
    t.equal(first.status, 200, first.text);
    t.equal((await get(path)).headers.etag, first.headers.etag);
    t.equal(
      (await get(path, { 'if-none-match': String(read.headers.etag) })).status,
      200,
      'an earlier version is not current',
    );
    t.not(first.headers.etag, read.headers.etag);
    const kept = (await get(path)).json;
    t.equal(kept.etag, first.json.etag, 'the edit returns the version that it made');

    for (const wrong of [read.headers.etag, `W/${first.headers.etag}`, '"x", "y"', 'x']) {
      const second = await write(2, ifMatch(wrong));
      t.equal(second.status, 412, String(wrong));
      t.match(second.json, { error: 'Changed meanwhile', details: /read it again/ });
    }
    t.strictSame((await get(path)).json, kept, 'and changes nothing');
    for (const right of [`"x", ${first.headers.etag}`, '*', undefined]) {
      const headers = right === undefined ? {} : ifMatch(right);
      t.equal((await write(1, headers)).status, 200, String(right));
    }
  });

  t.test(`of many concurrent edits of one version of a ${name} only one succeeds`, async (t) => {
    const { etag } = (await get(path)).headers;
    const edits = await Promise.all([11, 12, 13, 14, 15, 16].map((n) => write(n, ifMatch(etag))));
    t.strictSame(edits.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412]);
    const made = edits.find(({ status }) => status === 200)!;
    t.equal((await get(path)).json.etag, made.json.etag);
  });
}

t.test('lists include the versions', async (t) => {
  const lists = { '/folders': folder, '/presets': preset } as const;
  for (const [path, { json }] of Object.entries(lists)) {
    const rows = (await get(path)).json.data as readonly { id: string; etag: string }[];
    const one = (await get(`${path}/${json.id}`)).json;
    t.equal(rows.find(({ id }) => id === json.id)!.etag, one.etag, path);
  }
  const [code] = (await get(`/folders/${folderId}/codes`)).json.data;
  t.equal(code!.etag, (await get(`/codes/${code!.id}`)).json.etag);
});

t.test('related changes do not change the version of a link or a folder', async (t) => {
  const path = `/links/${codes[0]!.slug}`;
  const link = (await get(path)).json.etag;
  const { etag } = (await get(`/folders/${folderId}`)).json;
  t.equal((await patch(`/codes/${codes[0]!.id}`, { name: 'Other' })).status, 200);
  await post('/qr/bulk', { folderId, items: [{ data: 'one more' }] });
  t.equal((await get(path)).json.etag, link);
  t.equal((await get(`/folders/${folderId}`)).json.etag, etag, 'another code in the folder');
});

t.test('nothing is deleted on the basis of an outdated version', async (t) => {
  for (const path of [`/folders/${folder.json.id}`, `/presets/${preset.json.id}`, `/codes/${codes[1]!.id}`]) {
    const { etag } = (await get(path)).json;
    t.equal((await del(path, ifMatch('"old"'))).status, 412, path);
    t.equal((await get(path)).status, 200);
    t.equal((await del(path, ifMatch(etag))).status, 204, path);
    t.equal((await del(path, ifMatch(etag))).status, 404, path);
  }
});

t.test('a scan or a change of the link shows in the ETag of its code, and in no version', async (t) => {
  const { id, slug } = codes[0]!;
  const path = `/codes/${id}`;
  const before = await get(path);
  t.equal(before.json.short_url, `http://qr.test/l/${slug}`);
  await patch(`/links/${slug}`, { destination: 'https://example.com/elsewhere' });
  const { status, json, headers } = await get(path, {
    'if-none-match': String(before.headers.etag),
  });
  t.equal(status, 200);
  t.equal(json.destination, 'https://example.com/elsewhere');
  t.not(headers.etag, before.headers.etag);
  t.equal(json.etag, before.json.etag);
  t.equal((await patch(path, { name: 'x' }, ifMatch(before.headers.etag))).status, 200);
});
