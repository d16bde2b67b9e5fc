/** Streamed answers have places, and readers that have stopped hold little. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import t from 'tap';
import { createUnread } from '../../../src/http/files/unread.ts';
import { ADMIN_TOKEN, startApp } from '../../support/app/app.ts';

const DEADLINE_MS = 20_000;
const ITEMS = 600;
const REFUSED_SHEETS = 'Too many label sheets of this account are open; it may have 1 at a time.';

const started = await startApp(t, { PORT: '0' });
await started.app.listen();
const { gateway } = started.app;
const { port } = gateway.server.address() as AddressInfo;

/** Asks for a file, by default the table of all items, and reads only the first line of the answer. */
const stalled = async (
  key: string,
  path = '/api/v1/resolver/items.csv',
  method = 'GET',
  rest = '\r\n',
): Promise<{ readonly socket: Socket; readonly status: number }> => {
  const socket = connect({ port, host: '127.0.0.1' });
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${rest}`);
  const [head] = await once(socket, 'data');
  socket.pause();
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(String(head))?.[1]) };
};

const reaches = async (isWanted: () => boolean): Promise<boolean> => {
  for (const endMs = performance.now() + DEADLINE_MS; performance.now() < endMs; await sleep(50))
    if (isWanted()) return true;
  return false;
};

t.test('readers that have stopped hold six places of an account, and chunks of some kilobytes', async (t) => {
  const { key } = await started.account();
  const address = `https://example.com/${'x'.repeat(2000)}`;
  const rows = Array.from({ length: ITEMS }, (_, i) => `(8004)0614141${i},gs1:pip,${address}${i},title`);
  const made = await started.call({
    ...{ method: 'POST', url: '/api/v1/resolver/items/import', key },
    ...{ headers: { 'content-type': 'text/csv' }, body: ['key,rel,href,title', ...rows].join('\n') },
  });
  t.equal(made.status, 200, made.text.slice(0, 200));

  const all = await started.call({ url: '/api/v1/resolver/items.csv', key });
  t.equal(all.text.trim().split('\n').length, ITEMS + 1, 'the table is whole');

  const readers = await Promise.all(Array.from({ length: 20 }, () => stalled(key)));
  const counted = (status: number) => readers.filter((reader) => reader.status === status).length;
  t.strictSame([counted(200), counted(429)], [6, 14]);
  t.equal(gateway.streams.files.stats().open, 6);
  t.match((await started.call({ url: '/metrics', key: ADMIN_TOKEN })).text, /^tessera_http_streams_open 6$/m);

  const other = await started.account();
  t.equal((await stalled(other.key)).status, 200, 'another account has places of its own');

  for (const { socket } of readers) socket.destroy();
  t.ok(
    await reaches(() => gateway.streams.files.stats().open <= 1),
    'a reader that leaves gives its place back',
  );
  t.equal((await started.call({ url: '/api/v1/resolver/items.csv', key })).status, 200);
});

t.test('archives and documents of labels have places of their own, which refusals free', async (t) => {
  const { key } = await started.account({ monthlyQuota: 1000 });
  const items = Array.from({ length: 30 }, (_, n) => ({ data: `https://example.com/${n}` }));
  const made = await started.call({
    ...{ method: 'POST', url: '/api/v1/qr/bulk', key, body: { folderName: 'labels', items } },
  });
  const folder = `/api/v1/folders/${made.json.meta.folder_id}`;
  const sheets = (body: object) => ({ method: 'POST', url: `${folder}/sheets`, key, body }) as const;
  const lost = { template: 'avery-l7160', label: { caption: 'x'.repeat(200) } };
  for (let n = 0; n < 3; n += 1) t.equal((await started.call(sheets(lost))).status, 400);

  const body = JSON.stringify({ template: 'avery-l7160', copies: 100 });
  const head = `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const document = await stalled(key, `${folder}/sheets`, 'POST', head);
  t.equal(document.status, 200);
  const second = await started.call(sheets({ template: 'avery-l7160' }));
  t.strictSame([second.status, second.json.details], [429, REFUSED_SHEETS]);

  const archive = `${folder}/archive?format=png,svg,pdf,eps,webp`;
  const archives = await Promise.all([1, 2, 3].map(() => stalled(key, archive)));
  t.strictSame(archives.map(({ status }) => status).sort(), [200, 200, 429]);
  t.equal((await stalled(key)).status, 200, 'another file');
  for (const { socket } of [document, ...archives]) socket.destroy();
  const { sheets: ofSheets, archives: ofArchives } = gateway.streams;
  t.ok(await reaches(() => ofSheets.stats().open + ofArchives.stats().open === 0));
  t.equal((await started.call(sheets({ template: 'avery-l7160' }))).status, 200);
});

t.test(
  'large answers that are sent whole are counted until they are sent, or their client has gone',
  async (t) => {
    const { key } = await started.account();
    const png = await sharp(randomBytes(3 * 690 ** 2), { raw: { width: 690, height: 690, channels: 3 } })
      .png()
      .toBuffer();
    const options = { image: `data:image/png;base64,${png.toString('base64')}` };
    const { json } = await started.call({
      ...{ method: 'POST', url: '/api/v1/presets', key, body: { name: 'noise', options } },
    });
    const path = `/api/v1/presets/${json.id}`;
    t.equal((await started.call({ url: path, key })).status, 200);
    t.ok(await reaches(() => gateway.unread.stats().answers === 0));
    // The buffers of the kernel may take 40 MB.
    const { socket } = await stalled(key, path);
    for (let n = 0; n < 40; n += 1)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
    await sleep(500);
    t.ok(await reaches(() => gateway.unread.stats().answers === 1));
    await sleep(500);
    t.equal(gateway.unread.stats().answers, 1, 'the next one is not made before the client reads');
    t.ok(gateway.unread.stats().bytes > png.length);
    socket.destroy();
    t.ok(await reaches(() => gateway.unread.stats().bytes === 0));
  },
);

t.test(
  'of large answers that are not read the oldest are cut, of accounts with too many bytes',
  async (t) => {
    let nowMs = 0;
    const unread = createUnread(() => nowMs);
    const ended: string[] = [];
    const add = (account: string, megabytes: number, name = account) =>
      unread.add(account, megabytes * 1024 * 1024, () => ended.push(name));
    add('a', 40, 'a1');
    add('a', 40, 'a2');
    const forget = add('b', 60);
    nowMs = 9999;
    unread.cut();
    t.strictSame(ended, [], 'a slow client has ten seconds');
    nowMs = 10_000;
    add('a', 5, 'young');
    unread.cut();
    t.strictSame(ended, ['a1'], 'an account may have 64 MiB');
    for (const account of ['c', 'd', 'e']) add(account, 60);
    nowMs = 30_000;
    unread.cut();
    t.strictSame(ended, ['a1', 'b'], 'all together 256 MiB, of those with more than their share');
    forget();
    t.equal(unread.stats().bytes, (40 + 5 + 3 * 60) * 1024 * 1024, 'what was cut is not forgotten twice');

    const full = createUnread(() => nowMs);
    for (let n = 0; n < 9; n += 1) full.add('f', 60 * 1024 * 1024, () => ended.push(`f${n}`));
    t.equal(ended.at(-1), 'f0', 'nobody has ten seconds while there are more than 512 MiB');
  },
);
