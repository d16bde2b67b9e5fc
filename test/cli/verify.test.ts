/** `tessera verify` and `tessera receipt verify` on folders of the archive and of `tessera bulk`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { until } from '../servers/until.ts';
import { sharedApp } from '../support/app/app.ts';
import { readZip } from '../support/files/zip.ts';
import { fakeGateway, run } from './support.ts';

const gateway = await sharedApp();
const { key } = await gateway.account({ credits: 1000 });
const get = (url: string) => gateway.call({ url: `/api/v1${url}`, key });
const post = (url: string, body?: object) =>
  gateway.call({ method: 'POST', url: `/api/v1${url}`, key, ...(body === undefined ? {} : { body }) });

/** Makes a folder of codes, and unpacks its archive. */
const archiveOf = async (t: Test, folderName: string, items: readonly object[]) => {
  const { json } = await post('/qr/bulk', { folderName, items });
  const id = json.meta.folder_id as string;
  const files = await readZip((await get(`/folders/${id}/archive`)).bytes);
  const folder = t.testdir(Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])));
  return { id, folder, names: files.map(({ name }) => name) };
};

t.test('codes of an archive can be read, even if a spreadsheet would take them for formulas', async (t) => {
  const { folder } = await archiveOf(t, 'Cups', [
    { data: 'https://example.com/', dynamic: true },
    { data: '=1+1' },
    { data: "'quoted" },
    { data: 'two\nlines, "quoted"' },
  ]);
  const { code, out, err } = await run(['verify', folder, '--threads', '1']);
  t.match(out, '4 of 4 codes passed, 0 are weak.');
  t.equal(code, 0, err);
  const { codes, passed } = JSON.parse((await run(['verify', folder, '--json'])).out).results;
  t.strictSame([codes, passed], [4, 4]);
});

t.test('unreadable, changed, swapped and missing files fail, each with its reason', async (t) => {
  const { folder, names } = await archiveOf(t, 'Plates', [
    { data: 'fine' },
    { data: 'damaged' },
    { data: 'other' },
    { data: 'gone' },
    { data: 'inverted', dotsOptions: { color: 'white' }, backgroundOptions: { color: 'black' } },
    { data: 'noise' },
  ]);
  const at = (index: number) => join(folder, names[index]!);
  await writeFile(at(1), (await readFile(at(1))).subarray(0, 400));
  await writeFile(at(2), await readFile(at(0)));
  await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
    .png()
    .toFile(at(5));
  const manifest = await readFile(join(folder, 'manifest.csv'), 'utf8');
  await writeFile(join(folder, 'manifest.csv'), manifest.replace(names[3]!, '../secret.png'));
  const oneThread = ['--threads', '1'];
  const { code, out, err } = await run(['verify', folder, '--json', ...oneThread]);
  t.equal(code, 1);
  t.match(err, '4 codes failed, 1 is missing');
  const { results, troubles } = JSON.parse(out);
  t.strictSame(results, { codes: 6, passed: 1, weak: 0, failed: 4, missing: 1, compared: 0 });
  t.match(troubles, [
    { row: '2', result: 'failed', what: /changed/, text: null, expected: 'damaged' },
    { row: '3', result: 'failed', what: /changed/, text: 'fine', expected: 'other' },
    { row: '4', result: 'missing', what: 'its name leads out of the folder' },
    { row: '5', result: 'failed', what: 'not read by zbar', text: 'inverted' },
    { row: '6', result: 'failed', what: /changed/, text: null },
  ]);
  const shown = (await run(['verify', folder, ...oneThread])).out;
  t.match(shown, `row 5 ${names[4]}: failed: not read by zbar`);
});

t.test('a file that is not a manifest is refused in one line', async (t) => {
  const empty = t.testdir({});
  t.match(await run(['verify', empty]), { code: 1, err: /manifest\.csv is missing/ });
  const other = t.testdir({
    other: { 'manifest.csv': 'a,b\n1,2\n' },
    broken: { 'manifest.csv': 'content,"\n' },
  });
  t.match(await run(['verify', join(other, 'other')]), { code: 1, err: /has no column content, short_url/ });
  t.match(await run(['verify', join(other, 'broken')]), { code: 1, err: /cannot be read/ });
  t.match(await run(['verify', empty, '--threads', '0']), { code: 2, err: /must be 1 to 64/ });
});

t.test('the report of a batch is verified like a receipt', async (t) => {
  const sent = await gateway.call({
    ...{ method: 'POST', url: '/api/v1/batches', key, body: '{"data":"one"}\n' },
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const url = `/batches/${sent.json.id}`;
  await until(async () => (await get(url)).json.state === 'done', { pauseMs: 50 });
  const { text } = await get(`${url}/report`);
  const keys = (await gateway.call({ url: '/.well-known/tessera-receipts' })).text;
  const folder = t.testdir({
    'report.json': text,
    'changed.json': text.replace('"made":1', '"made":2'),
    'keys.json': keys,
  });
  const verify = (name: string, ...args: string[]) =>
    run(['receipt', 'verify', join(folder, name), ...args, '--key', join(folder, 'keys.json')]);
  const [part] = (await get(`${url}/parts`)).json.data as unknown as { sha256: string }[];
  const { code, out, err } = await verify('report.json');
  t.equal(code, 0, err);
  t.match(out, /The report is genuine(.|\n)*made +1/);
  t.match(out, `part 1: SHA-256 ${part?.sha256}`);
  t.equal(JSON.parse((await verify('report.json', '--json')).out).statement.batch, sent.json.id);
  t.match(await verify('changed.json'), { code: 1, err: /this report is not valid: its statement/ });
  t.match(await verify('no.json'), { code: 1, err: /^tessera: \S+no\.json: there is no such file\n$/ });
  t.match(await verify('report.json', folder), { code: 2, err: /leave the folder out/ });
});

t.test('a receipt is valid for the pictures of its archive, and for no others', async (t) => {
  const { id, folder, names } = await archiveOf(t, 'Bowls', [{ data: 'one' }, { data: 'two' }]);
  const begun = await post(`/folders/${id}/verifications`);
  const url = `/folders/${id}/verifications/${begun.json.id}`;
  await until(async () => (await get(url)).json.state === 'done', { pauseMs: 50 });
  const { text } = await get(`${url}/receipt`);
  const keys = (await gateway.call({ url: '/.well-known/tessera-receipts' })).text;
  const [receipt, changed, keyFile] = ['receipt', 'changed', 'keys'].map((name) =>
    join(folder, `${name}.json`),
  );
  await writeFile(receipt!, text);
  await writeFile(changed!, text.replace('"grade":4', '"grade":3'));
  await writeFile(keyFile!, keys);

  const verify = (...args: string[]) => run(['receipt', 'verify', ...args]);
  t.match(await verify(receipt!, '--key', keyFile!), { code: 0, out: /genuine(.|\n)*passed +2/ });
  t.match(await verify(receipt!, folder, '--key', keyFile!), { code: 0, out: /2 pictures compared/ });
  t.match(await verify(changed!, '--key', keyFile!), { code: 1, err: /is not valid: its codes/ });

  const picture = join(folder, names[0]!);
  await writeFile(
    picture,
    await sharp(await readFile(picture))
      .png({ compressionLevel: 1 })
      .toBuffer(),
  );
  t.match(await verify(receipt!, folder, '--key', keyFile!), {
    code: 1,
    out: new RegExp(`${names[0]}: changed`),
    err: /1 picture is not in the receipt, and 1 picture of the receipt is not there/,
  });

  const { url: installation } = await fakeGateway(t, ({ url }) => ({
    status: url === '/.well-known/tessera-receipts' ? 200 : 404,
    body: keys,
  }));
  t.match(await verify(receipt!, '--url', installation), { code: 0 });
  t.match(await verify(receipt!, '--url', `${installation}/elsewhere`), {
    code: 1,
    err: /does not answer as a Tessera gateway does \(HTTP 404\); check --url/,
  });
  const ids = (await get(`/folders/${id}/codes`)).json.data.map((code) => code.id);
  const chosen = `/code-verifications/${(await post('/code-verifications', { ids })).json.id}`;
  await until(async () => (await get(chosen)).json.state === 'done', { pauseMs: 50 });
  await writeFile(receipt!, (await get(`${chosen}/receipt`)).text);
  t.match(await verify(receipt!, '--key', keyFile!), { code: 0, out: /folder +– \(chosen codes\)/ });
  t.match(await verify(receipt!), { code: 2, err: /give --key with a file, or --url/ });
  t.match(await verify(receipt!, '--key', receipt!), { code: 1, err: /has no Ed25519 public key/ });
});
