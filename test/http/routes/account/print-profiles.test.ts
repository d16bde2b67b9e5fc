/** Print profiles: the calls that manage them, and the calls whose files they make. */
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { type FileOptions, overProfile, toFileSize } from '../../../../src/generate/request/file-options.ts';
import { createSender } from '../../../batches/support.ts';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient, RANDOM_ID } from '../../../support/app/client.ts';
import { refusesAll } from '../../../support/app/refusals.ts';
import { fieldsOf } from '../../../support/fields-of.ts';
import { readZip } from '../../../support/files/zip.ts';
import { holds } from '../../../support/pictures/designs.ts';

const app = await sharedApp();
const newAccount = () => newClient(app, { monthlyQuota: 5000, plan: 'pro' });

/** Saves codes in a folder, and returns them as their calls did. */
const saveAll = async ({ post }: Awaited<ReturnType<typeof newAccount>>, codes: readonly object[]) => {
  const saved = [];
  for (const code of codes) saved.push((await post('/codes', { folder_name: 'Menu', ...code })).json);
  return saved;
};

const FLYER = { format: 'pdf', width_mm: 30, bleed_mm: 3, color: 'cmyk' } as const;

t.test('a profile is stored as it was sent, changed and deleted', async (t) => {
  const { post, patch, get, del } = await newAccount();
  const made = await post('/print-profiles', { name: '  Flyer ', options: FLYER });
  t.equal(made.status, 201, made.text);
  t.match(made.json, { name: 'Flyer' });
  t.strictSame(made.json.options, FLYER, 'no defaults are added to what was sent');
  const path = `/print-profiles/${made.json.id}`;
  t.strictSame((await get(path)).json, made.json);
  t.strictSame((await get('/print-profiles')).json.data, [made.json]);
  t.match(await post('/print-profiles', { name: 'Flyer', options: {} }), {
    status: 409,
    json: { error: 'Name already taken' },
  });

  const changed = await patch(path, { name: 'Card' }, { 'if-match': made.json.etag });
  t.match(changed.json, { name: 'Card', options: FLYER });
  t.equal((await patch(path, { name: 'Card' })).status, 200, 'it may keep its name');
  t.equal((await patch(path, { name: 'Flyer' }, { 'if-match': made.json.etag })).status, 412);
  t.strictSame((await patch(path, { options: { width: 600 } })).json.options, { width: 600 });
  t.equal((await del(path, { 'if-match': made.json.etag })).status, 412);
  t.equal((await del(path)).status, 204);
  t.equal((await get(path)).status, 404);
  t.equal((await del(path)).status, 404);
});

t.test('a profile that no file could have is refused', async (t) => {
  const { post, get } = await newAccount();
  const cases: [object, RegExp][] = [
    [{ format: 'gif' }, /^options\.format: /],
    [{ width_mm: 0 }, /^options\.width_mm: /],
    [{ width: 600, dpi: 300 }, /^options\.width: must not be sent together with a size in millimetres/],
    [{ width_mm: 30, module_mm: 1 }, /^options\.width_mm: must not be sent together with module_mm/],
    [{ paper: 'transparent' }, /^options\.paper: must be opaque/],
    [{ profile: 'x' }, /^options\.profile: is not a known field/],
  ];
  await refusesAll(t, (options: object) => post('/print-profiles', { name: 'x', options }), cases);
  t.match((await post('/print-profiles', { name: ' ', options: {} })).json, { details: /^name: / });
  t.strictSame((await get('/print-profiles')).json.data, []);
});

t.test('an account has at most 100 profiles, and sees no others', async (t) => {
  const { post, get } = await newAccount();
  for (let n = 0; n < 100; n += 1) await post('/print-profiles', { name: `Profile ${n}`, options: {} });
  t.match(await post('/print-profiles', { name: 'One more', options: {} }), {
    status: 409,
    json: { error: 'Limit reached', details: /100 print profiles/ },
  });
  const { id } = (await get('/print-profiles?limit=1')).json.data[0]!;
  const other = await newAccount();
  t.equal((await other.get(`/print-profiles/${id}`)).status, 404);
  const [code] = (await other.bulk(['Table 1'])).codes;
  t.equal((await other.get(`/codes/${code!.id}/image?profile=${id}`)).status, 400);
});

t.test('a file of a code is made as its profile says, and the query overrides that', async (t) => {
  const client = await newAccount();
  const { post, get, del } = client;
  const [code] = await saveAll(client, [{ data: 'https://example.com/menu', name: 'Spring poster A2' }]);
  const profile = (await post('/print-profiles', { name: 'Flyer für alle', options: FLYER })).json;
  const image = (query: string) => get(`/codes/${code!.id}/image?${query}`);
  const plain = await image('format=pdf&width_mm=30&bleed_mm=3&color=cmyk');
  for (const name of [
    profile.id,
    encodeURIComponent('Flyer für alle'),
    encodeURIComponent(' Flyer für alle '),
  ]) {
    const pdf = await image(`profile=${name}`);
    t.equal(pdf.status, 200, pdf.text);
    t.equal(pdf.headers['content-type'], 'application/pdf');
    t.strictSame(pdf.bytes, plain.bytes);
    t.match(pdf.headers, {
      'content-disposition':
        'inline; filename="Spring poster A2.pdf"; filename*=UTF-8\'\'Spring%20poster%20A2.pdf',
      'tessera-size-mm': 'width=30, height=30, module=0.8108',
    });
  }
  t.strictSame(
    (await image(`profile=${profile.id}&color=rgb`)).bytes,
    (await image('format=pdf&width_mm=30&bleed_mm=3')).bytes,
  );
  t.match(
    (await image(`profile=${profile.id}&module_mm=1`)).headers['tessera-size-mm'],
    'width=37, height=37, module=1',
  );
  const png = await image(`profile=${profile.id}&format=png&width=500`);
  t.equal((await sharp(png.bytes).metadata()).width, 500, 'a width in pixels replaces all millimetres');
  t.equal(png.headers['tessera-size-mm'], undefined);

  for (const unknown of ['Flyer', RANDOM_ID, '', '%00'])
    t.match(await image(`profile=${unknown}`), {
      status: 400,
      json: { error: 'Invalid query', details: /^profile: / },
    });
  t.equal((await image(`profile=${profile.id}&profile=${profile.id}`)).status, 400);
  await del(`/print-profiles/${profile.id}`);
  t.equal((await image(`profile=${profile.id}`)).status, 400, 'a deleted one is unknown');
});

t.test('archives have the formats and sizes of a profile, also in pixels', async (t) => {
  const client = await newAccount();
  const { post, get } = client;
  const wanted = [{ data: 'a', name: 'One' }, { data: 'b', name: 'one' }, { data: 'c' }];
  const codes = await saveAll(client, wanted);
  const folderId = codes[0]!.folder_id;
  await post('/print-profiles', { name: 'Flyer', options: { format: 'eps', width_mm: 30 } });
  await post('/print-profiles', { name: 'Screen', options: { format: 'png', width: 100 } });
  const folder = await readZip((await get(`/folders/${folderId}/archive?profile=Flyer`)).bytes);
  t.strictSame(fieldsOf(folder, 'name'), ['One.eps', 'one (2).eps', '00003-c.eps', 'manifest.csv']);
  const ids = { ids: codes.map(({ id }) => id) };
  const chosen = await post('/codes/archive?profile=Flyer&format=pdf,svg', ids);
  const files = await readZip(chosen.bytes);
  t.equal(files.length, 2 * 3 + 1);
  t.match(files[0]!.bytes.toString('latin1'), /MediaBox \[0 0 85\.03\d* 85\.03\d*\]/);
  const screen = await readZip((await post('/codes/archive?profile=Screen', ids)).bytes);
  t.equal((await sharp(screen[0]!.bytes).metadata()).width, 100);
  t.match(await post('/codes/archive?profile=None', ids), { status: 400, json: { details: /^profile: / } });
  t.match(await post('/codes/archive?width=100&dpi=300', ids), {
    status: 400,
    json: { details: /^width: / },
  });
});

t.test('a batch is made as its profile says, and keeps to that when the profile is deleted', async (t) => {
  const client = await newAccount();
  const { send, begin, ended, entriesOf } = createSender(app, client.key);
  const { id: profile } = (await client.post('/print-profiles', { name: 'Flyer', options: FLYER })).json;
  await client.post('/print-profiles', { name: 'Screen', options: { format: 'png', width: 100 } });
  const rows = '{"data":"x"}\n{"data":"y","print":{"module_mm":1}}\n';
  const id = await begin(rows, { query: '?profile=Flyer' });
  await client.del(`/print-profiles/${profile}`);
  t.match(await ended(id), { state: 'done', formats: ['pdf'] });
  const [first, second] = await entriesOf(id);
  t.match(first!.bytes.toString('latin1'), /MediaBox \[0 0 102\.04\d* 102\.04\d*\]/, 'with its bleed');
  t.match(second!.bytes.toString('latin1'), /MediaBox \[0 0 99\.2\d* /, 'a row overrides its side only');
  t.match(first!.bytes.toString('latin1'), /PDF/);

  const screen = await begin('{"data":"x"}\n{"data":"y","width":200,"height":200}\n', {
    query: '?profile=Screen&formats=webp,png',
  });
  t.match(await ended(screen), { formats: ['webp', 'png'] });
  const pngs = (await entriesOf(screen)).filter(({ name }) => name.endsWith('.png'));
  const widths = await Promise.all(pngs.map(async ({ bytes }) => (await sharp(bytes).metadata()).width));
  t.strictSame(widths, [100, 200]);
  t.match(await send(rows, { query: '?profile=Flyer' }), {
    status: 400,
    json: { error: 'Invalid query', details: /^profile: must be the id or the name/ },
  });
});

t.test('any options over any profile ask for one size', async (t) => {
  const options: fc.Arbitrary<FileOptions> = fc
    .record(
      {
        width: fc.constantFrom(100, 600),
        module_mm: fc.constantFrom(0.5, 1),
        width_mm: fc.constantFrom(20, 30),
        dpi: fc.constantFrom(300, 600),
        quiet_zone: fc.constantFrom(2, 4),
        bleed_mm: fc.constantFrom(0, 3),
        round: fc.constantFrom('none', 'down'),
        color: fc.constantFrom('rgb', 'cmyk'),
        text: fc.constantFrom('none', 'gs1'),
        till: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .filter((some) => toFileSize(some).ok);
  holds(
    t,
    fc.property(options, options, (profile, said) => {
      const both = overProfile(profile, said);
      const isKept = Object.entries(said).every(([name, value]) => both[name as keyof FileOptions] === value);
      return isKept && toFileSize(both).ok;
    }),
  );
  t.strictSame(overProfile({ width_mm: 30, bleed_mm: 3 }, { module_mm: 1 }), { bleed_mm: 3, module_mm: 1 });
  t.strictSame(overProfile({ width: 600, color: 'cmyk' }, { dpi: 300 }), { color: 'cmyk', dpi: 300 });
});
