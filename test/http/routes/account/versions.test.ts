/** Concurrent edits of one resource: the second is refused, and the first is kept. */
import t from 'tap';
import { type Answer, type Call, sharedApp } from '../../../support/app/app.ts';

const { call, account } = await sharedApp();
const { key } = await account({ monthlyQuota: 100 });

const send = (
  method: NonNullable<Call['method']>,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  call({ method, url: `/api/v1${path}`, key, headers, ...(body === undefined ? {} : { body }) });
const ifMatch = (etag: unknown) => ({ 'if-match': String(etag) });

const item = { data: 'https://example.com/', dynamic: true };
const bulk = await send('POST', '/qr/bulk', { folderName: 'Codes', items: [item, item] });
const folderId = bulk.json.meta.folder_id;
const codes = (await send('GET', `/folders/${folderId}/codes`)).json.data;
const folder = await send('POST', '/folders', { name: 'Folder' });
const preset = await send('POST', '/presets', { name: 'Preset', options: {} });

interface Resource {
  readonly path: string;
  readonly method?: 'PUT' | 'PATCH';
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
    ...{ edit: '/design', method: 'PUT' },
    change: (n) => ({ width: 300 + n }),
  },
  preset: { path: `/presets/${preset.json.id}`, change: (n) => ({ name: `Preset ${n}` }) },
};

for (const [name, { path, method = 'PATCH', edit = '', change }] of Object.entries(resources)) {
  const write = (n: number, headers?: Record<string, string>) =>
    send(method, `${path}${edit}`, change(n), headers);

  t.test(`an edit of a ${name} based on an outdated version is refused`, async (t) => {
    const read = await send('GET', path);
    t.match(read.headers.etag, /^"[\w-]{27}\.[\w-]{8}"$/);
    t.equal(read.json.etag, String(read.headers.etag).replace(/\..*"/, '"'));
    for (const tag of [
      read.headers.etag,
      `W/${read.headers.etag}`,
      `"x", ${read.headers.etag}`,
      '*',
      read.json.etag,
    ]) {
      const again = await send('GET', path, undefined, { 'if-none-match': String(tag) });
      t.strictSame([again.status, again.text, again.headers.etag], [304, '', read.headers.etag], String(tag));
    }
    t.equal((await send('GET', path, undefined, { 'if-none-match': '"x"' })).status, 200);
    const first = await write(1, ifMatch(read.headers.etag));
    t.equal(first.status, 200, first.text);
    t.equal((await send('GET', path)).headers.etag, first.headers.etag);
    t.equal(
      (await send('GET', path, undefined, { 'if-none-match': String(read.headers.etag) })).status,
      200,
      'an earlier version is not current',
    );
    t.not(first.headers.etag, read.headers.etag);
    const kept = (await send('GET', path)).json;
    t.equal(kept.etag, first.json.etag, 'the edit returns the version that it made');

    for (const wrong of [read.headers.etag, `W/${first.headers.etag}`, '"x", "y"', 'x']) {
      const second = await write(2, ifMatch(wrong));
      t.equal(second.status, 412, String(wrong));
      t.match(second.json, { error: 'Changed meanwhile', details: /read it again/ });
    }
    t.strictSame((await send('GET', path)).json, kept, 'and changes nothing');
    for (const right of [`"x", ${first.headers.etag}`, '*', undefined]) {
      const headers = right === undefined ? {} : ifMatch(right);
      t.equal((await write(1, headers)).status, 200, String(right));
    }
  });

  t.test(`of many concurrent edits of one version of a ${name} only one succeeds`, async (t) => {
    const { etag } = (await send('GET', path)).headers;
    const edits = await Promise.all([11, 12, 13, 14, 15, 16].map((n) => write(n, ifMatch(etag))));
    t.strictSame(edits.map(({ status }) => status).sort(), [200, 412, 412, 412, 412, 412]);
    const made = edits.find(({ status }) => status === 200)!;
    t.equal((await send('GET', path)).json.etag, made.json.etag);
  });
}

t.test('lists include the versions', async (t) => {
  const lists = { '/folders': folder, '/presets': preset } as const;
  for (const [path, { json }] of Object.entries(lists)) {
    const rows = (await send('GET', path)).json.data as readonly { id: string; etag: string }[];
    const one = (await send('GET', `${path}/${json.id}`)).json;
    t.equal(rows.find(({ id }) => id === json.id)!.etag, one.etag, path);
  }
  const [code] = (await send('GET', `/folders/${folderId}/codes`)).json.data;
  t.equal(code!.etag, (await send('GET', `/codes/${code!.id}`)).json.etag);
});

t.test('related changes do not change the version of a link or a folder', async (t) => {
  const path = `/links/${codes[0]!.slug}`;
  const link = (await send('GET', path)).json.etag;
  const { etag } = (await send('GET', `/folders/${folderId}`)).json;
  t.equal((await send('PATCH', `/codes/${codes[0]!.id}`, { name: 'Other' })).status, 200);
  await send('POST', '/qr/bulk', { folderId, items: [{ data: 'one more' }] });
  t.equal((await send('GET', path)).json.etag, link);
  t.equal((await send('GET', `/folders/${folderId}`)).json.etag, etag, 'another code in the folder');
});

t.test('a preset that the client already has is not sent again', async (t) => {
  const path = `/presets/${preset.json.id}`;
  const { etag } = (await send('GET', path)).headers;
  const again = await send('GET', path, undefined, { 'if-none-match': String(etag) });
  t.strictSame([again.status, again.text, again.headers.etag], [304, '', etag]);
  await send('PATCH', path, { is_default: true });
  t.equal((await send('GET', path, undefined, { 'if-none-match': String(etag) })).status, 200);
});

t.test('nothing is deleted on the basis of an outdated version', async (t) => {
  for (const path of [`/folders/${folder.json.id}`, `/presets/${preset.json.id}`, `/codes/${codes[1]!.id}`]) {
    const { etag } = (await send('GET', path)).json;
    t.equal((await send('DELETE', path, undefined, ifMatch('"old"'))).status, 412, path);
    t.equal((await send('GET', path)).status, 200);
    t.equal((await send('DELETE', path, undefined, ifMatch(etag))).status, 204, path);
    t.equal((await send('DELETE', path, undefined, ifMatch(etag))).status, 404, path);
  }
});

t.test('a scan or a change of the link shows in the ETag of its code, and in no version', async (t) => {
  const { id, slug } = codes[0]!;
  const path = `/codes/${id}`;
  const before = await send('GET', path);
  t.equal(before.json.short_url, `http://qr.test/l/${slug}`);
  await send('PATCH', `/links/${slug}`, { destination: 'https://example.com/elsewhere' });
  const { status, json, headers } = await send('GET', path, undefined, {
    'if-none-match': String(before.headers.etag),
  });
  t.equal(status, 200);
  t.equal(json.destination, 'https://example.com/elsewhere');
  t.not(headers.etag, before.headers.etag);
  t.equal(json.etag, before.json.etag);
  t.equal((await send('PATCH', path, { name: 'x' }, ifMatch(before.headers.etag))).status, 200);
});
