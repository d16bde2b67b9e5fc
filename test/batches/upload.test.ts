/** Limits for the size and the pace of an upload. */
import { createHash, type Hash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { readUpload, type Upload, watchUpload } from '../../src/batches/receive/upload.ts';
import { AppError } from '../../src/errors.ts';
import { stopClock } from '../support/clock.ts';
import { FREE_PAYER } from '../support/free-payer.ts';
import { hurry } from '../support/hurry.ts';

/** Hashing gigabytes is not what is tested. */
const NO_HASH = { update: () => {} } as unknown as Hash;
/** A socket that has read new bytes each time it is checked. */
const createSocket = () => {
  let reads = 0;
  return {
    get bytesRead() {
      reads += 1;
      return reads;
    },
  };
};

const readWatched = (t: Test, upload: Omit<Upload, 'watch'>, hash = NO_HASH): AsyncGenerator<Buffer> => {
  const watch = watchUpload(FREE_PAYER);
  t.teardown(watch.end);
  return watch.read(readUpload({ ...upload, watch }, hash));
};

const readAll = async (t: Test, upload: Omit<Upload, 'watch'>, hash = NO_HASH): Promise<number | string> => {
  let bytes = 0;
  try {
    for await (const chunk of readWatched(t, upload, hash)) bytes += chunk.length;
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.details}` : String(error);
  }
  return bytes;
};

// The guard alone does not keep the process running.
const alive = setInterval(() => {}, 1000);
t.teardown(() => clearInterval(alive));

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x');
const repeated = function* (chunk: Buffer, times: number) {
  for (let i = 0; i < times; i += 1) yield chunk;
};

t.test('an upload has at most 2,000,000,000 bytes, and unpacks to at most 200 times its size', async (t) => {
  const socket = createSocket();
  const body = Readable.from(repeated(MEGABYTE, 1908), { objectMode: true });
  t.match(await readAll(t, { body, socket, gzip: false }), /^413 .*at most 2000000000 bytes/);
  const within = Readable.from(repeated(MEGABYTE, 1907), { objectMode: true });
  t.equal(await readAll(t, { body: within, socket, gzip: false }), 1907 * MEGABYTE.length);
  const bomb = Readable.from(repeated(gzipSync(Buffer.concat([...repeated(MEGABYTE, 32)])), 3), {
    objectMode: true,
  });
  t.match(await readAll(t, { body: bomb, socket, gzip: true }), /^400 .*more than 200 times/);
});

t.test('the hash of an upload is that of its packed bytes', async (t) => {
  const packed = gzipSync('{"data":"a"}\n');
  const hash = createHash('sha256');
  await readAll(t, { body: Readable.from([packed]), socket: createSocket(), gzip: true }, hash);
  t.equal(hash.digest('hex'), createHash('sha256').update(packed).digest('hex'));
});

/** Waits for several checks of the guard, which runs every ten milliseconds. */
const looks = () => new Promise((resolve) => setTimeout(resolve, 50));

t.test('an upload that sends nothing for a minute is given up, and one that continues is not', async (t) => {
  hurry(t, 600);
  const clock = stopClock(t);
  const body = new PassThrough();
  const reading = readAll(t, { body, socket: createSocket(), gzip: false });
  for (let minute = 0; minute < 5; minute += 1) {
    body.write(MEGABYTE);
    for (let third = 0; third < 3; third += 1) {
      clock.pass(19_000);
      await looks();
    }
  }
  let isOver = false;
  void reading.then(() => {
    isOver = true;
  });
  await looks();
  t.equal(isOver, false);
  clock.pass(61_000);
  t.match(await reading, /^400 .*stopped coming/);
  t.equal(body.destroyed, false, 'the connection stays open for the answer');
});

t.test('an upload below the minimum rate is given up, and the later the more it has sent', async (t) => {
  hurry(t, 600);
  const clock = stopClock(t);
  /** Sends this many bytes every twenty seconds, and returns the seconds after which the upload was given up. */
  const drip = async (bytes: number, secondsMax: number): Promise<number> => {
    const body = new PassThrough();
    let isOver = false;
    const reading = readAll(t, { body, socket: createSocket(), gzip: false }).finally(() => {
      isOver = true;
    });
    for (let seconds = 0; seconds < secondsMax; seconds += 20) {
      body.write(Buffer.alloc(bytes));
      await looks();
      clock.pass(20_000);
      await looks();
      if (isOver) {
        t.match(await reading, /^400 .*comes too slowly; send at least 16000 bytes a second/);
        return seconds + 20;
      }
    }
    body.end();
    t.type(await reading, 'number');
    return Number.POSITIVE_INFINITY;
  };
  t.equal(await drip(1, 600), 80);
  t.equal(await drip(160_000, 600), 140);
  t.equal(await drip(320_000, 600), Number.POSITIVE_INFINITY);
});

t.test('an upload is given up after six hours in all', async (t) => {
  hurry(t, 600);
  const clock = stopClock(t);
  const body = new PassThrough();
  body.write('x');
  const chunks = readWatched(t, { body, socket: createSocket(), gzip: false });
  await chunks.next();
  clock.pass(6 * 3_600_000 + 1);
  await looks();
  await t.rejects(chunks.next(), { message: /comes too slowly/ });
});

t.test('a parser that makes no progress is given up', async (t) => {
  hurry(t, 600);
  const clock = stopClock(t);
  const watch = watchUpload(FREE_PAYER);
  t.teardown(watch.end);
  const asked = watch.read(
    (async function* () {
      yield 'row';
      await new Promise(() => {});
    })(),
  );
  t.equal((await asked.next()).value, 'row');
  clock.pass(600_000);
  await looks();
  const hung = asked.next();
  clock.pass(119_000);
  await looks();
  const late = t.rejects(hung, { message: 'body: takes too long to read' });
  clock.pass(2000);
  await late;
  await t.rejects(watch.guard(new Promise(() => {})), { message: 'body: takes too long to read' });
});

t.test('time that the gateway spends on processing does not count as a pause of the upload', async (t) => {
  hurry(t, 600);
  const clock = stopClock(t);
  const body = new PassThrough();
  body.write('x');
  const chunks = readWatched(t, { body, socket: createSocket(), gzip: false });
  t.equal(String((await chunks.next()).value), 'x');
  clock.pass(600_000);
  await looks();
  body.end('y');
  t.equal(String((await chunks.next()).value), 'y');
  t.equal((await chunks.next()).done, true);
});

t.test('an upload of tiny chunks is refused, unless they really arrive one by one', async (t) => {
  const crumb = Buffer.from('x');
  const crumbs = Readable.from(repeated(crumb, 5000), { objectMode: true });
  t.match(
    await readAll(t, { body: crumbs, socket: { bytesRead: 1 }, gzip: false }),
    /^400 .*too small chunks/,
  );
  const slow = Readable.from(repeated(crumb, 5000), { objectMode: true });
  t.equal(await readAll(t, { body: slow, socket: createSocket(), gzip: false }), 5000);
});
