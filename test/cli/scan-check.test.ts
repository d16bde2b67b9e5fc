/** `tessera scan-check` adds up what several pictures say about a folder. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { clientOf } from '../support/app/client.ts';
import { run, sharedListener } from './support.ts';

const gateway = await sharedListener();
const made = await gateway.account({ credits: 1000 });
const client = clientOf(gateway, made.key);
const env = { TESSERA_URL: gateway.url, TESSERA_KEY: made.key };

/** Makes a folder of codes, and a picture of each. */
const folderOf = async (t: Test, items: readonly string[], folderName: string) => {
  const { folderId, codes } = await client.bulk(items, folderName);
  const pictures: Buffer[] = [];
  // One after the other: of a hundred at once, a busy gateway refuses some.
  for (const { id } of codes) {
    const { status, bytes } = await client.get(`/codes/${id}/image?width=300`);
    if (status !== 200) throw new Error(`a picture was answered with ${status}`);
    pictures.push(bytes);
  }
  const folder = await temporaryFolder(t);
  await Promise.all(pictures.map((png, i) => writeFile(join(folder, `${i}.png`), png)));
  return { folderId, codes, pictures, folder, fileOf: (index: number) => join(folder, `${index}.png`) };
};

t.test('pictures are added up, and the exit code is 0 when every code was read', async (t) => {
  const { folderId, fileOf } = await folderOf(t, ['a', 'https://example.com/b', 'c'], 'Whole');
  const { code, out, err } = await run(['scan-check', folderId, fileOf(2), fileOf(0), fileOf(1)], env);
  t.equal(code, 0, err);
  t.match(out, '3 of 3 codes read, 0 unread, 0 repeated, 0 wrong, 0 foreign.');
});

t.test('unread, foreign and repeated codes are listed with the file and the place', async (t) => {
  const { folderId, codes, fileOf } = await folderOf(t, ['first', 'second', 'third'], 'Partly');
  const other = await folderOf(t, ['stranger'], 'Other');
  const files = [fileOf(0), fileOf(0), other.fileOf(0)];
  const { code, out, err } = await run(['scan-check', folderId, ...files], env);
  t.equal(code, 1);
  t.match(err, '2 unread, 0 wrong');
  t.match(out, '1 of 3 codes read, 2 unread, 1 repeated, 0 wrong, 1 foreign.');
  t.match(out, `Unread:\n  ${codes[1]!.id}: second\n  ${codes[2]!.id}: third\n`);
  t.match(out, new RegExp(`Foreign.*\n  ${other.fileOf(0)} at 1[45]\\d, 1[45]\\d: stranger`));
  t.match(out, new RegExp(`Repeated:\n  ${fileOf(0)} at 1[45]\\d, 1[45]\\d: ${codes[0]!.id}`));

  const json = JSON.parse((await run(['scan-check', folderId, ...files, '--json'], env)).out);
  t.match(json, {
    ...{ codes: 3, read: 1, unread: 2, wrong: [] },
    unread_codes: [{ id: codes[1]!.id, content: 'second' }, { id: codes[2]!.id }],
    foreign: [{ file: other.fileOf(0), content: 'stranger', code: null }],
    repeated: [{ file: fileOf(0), code: { id: codes[0]!.id } }],
  });
});

t.test('codes between those of a sheet are named first, however long the folder is', async (t) => {
  const items = Array.from({ length: 100 }, (_, i) => `item ${i}`);
  const { folderId, pictures, folder, fileOf } = await folderOf(t, items, 'Long');
  const apart = JSON.parse((await run(['scan-check', folderId, fileOf(60), fileOf(62), '--json'], env)).out);
  t.equal(apart.unread, 98);
  t.equal(new Set(apart.unread_codes.map(({ id }: { id: string }) => id)).size, 98);
  const page = join(folder, 'page.png');
  const sheet = sharp({ create: { width: 700, height: 300, channels: 3, background: '#fff' } }).composite([
    { input: pictures[60]!, left: 0, top: 0 },
    { input: pictures[62]!, left: 350, top: 0 },
  ]);
  await writeFile(page, await sheet.png().toBuffer());
  const together = JSON.parse((await run(['scan-check', folderId, page, '--json'], env)).out);
  t.equal(together.unread_codes[0].content, 'item 61');
});

t.test('a file that is no picture is a usage error, and a missing one is named', async (t) => {
  const { folderId, folder, fileOf } = await folderOf(t, ['x'], 'Faults');
  const text = join(folder, 'a.txt');
  await writeFile(text, 'no picture');
  t.match(await run(['scan-check', folderId, text], env), {
    code: 2,
    err: /a\.txt is no picture in PNG, JPEG or WebP/,
  });
  t.match(await run(['scan-check', folderId, join(folder, 'b.png')], env), { code: 1, err: /no such file/ });
  t.match(await run(['scan-check', folderId], env), { code: 2 });
  t.match(await run(['scan-check', made.id, fileOf(0)], env), { code: 1, err: /There is no such folder/ });
});
