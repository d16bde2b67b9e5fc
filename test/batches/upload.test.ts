/** The bytes of an upload: bounds that its size and its pace must keep. */
import { createHash, type Hash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { readUpload, type Upload } from '../../src/batches/receive/upload.ts';
import { AppError } from '../../src/errors.ts';
import { until } from '../servers/until.ts';
import { stopClock } from '../support/clock.ts';
import { hurry } from '../support/hurry.ts';

/** Hashing gigabytes is not what is tested. */
const NO_HASH = { update: () => {} } as unknown as Hash;
/** A socket that has read something new each time it is asked. */
const createSocket = () => {
  let reads = 0;
  return {
    get bytesRead() {
      reads += 1;
      return reads;
    },
  };
};

const readAll = async (upload: Upload, hash = NO_HASH): Promise<number | string> => {
  let bytes = 0;
  try {
    for await (const chunk of readUpload(upload, hash)) bytes += chunk.length;
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.details}` : String(error);
  }
  return bytes;
};

// The guard alone keeps no process running.
const alive = setInterval(() => {}, 1000);
t.teardown(() => clearInterval(alive));

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const repeated = function* (chunk: Buffer, times: number) {
  for (let i = 0; i < times; i += 1) yield chunk;
};

t.test('an upload has at most 2,000,000,000 bytes, whatever it unpacks to', async (t) => {
  const socket = createSocket();
  const body = Readable.from(repeated(MEGABYTE, 1908), { objectMode: true });
  t.match(await readAll({ body, socket, gzip: false }), /^413 .*at most 2000000000 bytes/);
  const within = Readable.from(repeated(MEGABYTE, 1907), { objectMode: true });
  t.equal(await readAll({ body: within, socket, gzip: false }), 1907 * MEGABYTE.length);
  const bomb = Readable.from(repeated(gzipSync(Buffer.concat([...repeated(MEGABYTE, 32)])), 3), {
    objectMode: true,
  });
  t.match(await readAll({ body: bomb, socket, gzip: true }), /^400 .*more than 200 times/);
});

t.test('an upload is hashed as it was sent, packed', async (t) => {
  const packed = gzipSync('{"data":"a"}\n');
  const hash = createHash('sha256');
  await readAll({ body: Readable.from([packed]), socket: createSocket(), gzip: true }, hash);
  t.equal(hash.digest('hex'), createHash('sha256').update(packed).digest('hex'));
});

t.test('an upload that sends nothing for a minute is given up, and one that goes on is not', async (t) => {
  hurry(t, 600);
  const clock = stopClock(t);
  const body = new PassThrough();
  const reading = readAll({ body, socket: createSocket(), gzip: false });
  for (let minute = 0; minute < 5; minute += 1) {
    body.write('x');
    // Three looks of the guard, ten milliseconds each.
    for (let looks = 0; looks < 3; looks += 1) {
      clock.pass(19_000);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }
  t.equal(body.destroyed, false);
  clock.pass(61_000);
  t.match(await reading, /^400 .*stopped coming/);
  t.equal(body.destroyed, true);
});

t.test('an upload may take six hours in all', async (t) => {
  hurry(t, 600);
  const clock = stopClock(t);
  const body = new PassThrough();
  body.on('error', () => {});
  body.write('x');
  const chunks = readUpload({ body, socket: createSocket(), gzip: false }, NO_HASH);
  await chunks.next();
  clock.pass(6 * 3_600_000 + 1);
  await until(() => body.destroyed);
  await t.rejects(chunks.next(), /Malformed body|stopped coming/);
});

t.test('time for which the gateway itself is busy is no pause of the upload', async (t) => {
  hurry(t, 600);
  const clock = stopClock(t);
  const body = new PassThrough();
  body.write('x');
  const chunks = readUpload({ body, socket: createSocket(), gzip: false }, NO_HASH);
  t.equal(String((await chunks.next()).value), 'x');
  clock.pass(600_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.equal(body.destroyed, false);
  body.end('y');
  t.equal(String((await chunks.next()).value), 'y');
  t.equal((await chunks.next()).done, true);
});

t.test('an upload in crumbs is refused, and one in small chunks that come one by one is not', async (t) => {
  const crumb = Buffer.from('x');
  const crumbs = Readable.from(repeated(crumb, 5000), { objectMode: true });
  t.match(await readAll({ body: crumbs, socket: { bytesRead: 1 }, gzip: false }), /^400 .*too small chunks/);
  const slow = Readable.from(repeated(crumb, 5000), { objectMode: true });
  t.equal(await readAll({ body: slow, socket: createSocket(), gzip: false }), 5000);
});
