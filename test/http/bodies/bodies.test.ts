/** How bodies are read: long strings apart from the rest, within limits, and without delaying other calls. */
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import t from 'tap';
import { createTimeSlices } from '../../../src/execution/time-limits.ts';
import { createBodyBudget } from '../../../src/http/bodies/body-budget.ts';
import { createScanner } from '../../../src/http/bodies/json-scanner.ts';
import { assemble } from '../../../src/http/bodies/json-text.ts';
import { receiveBodies } from '../../../src/http/bodies/receive.ts';
import { demoKeyIn, startGateway } from '../../servers/gateway-process.ts';
import { startApp } from '../../support/app/app.ts';
import { embeddedFolder } from '../../support/database/database.ts';
import { createRandom } from '../../support/random.ts';

/** Parses JSON with the scanner, in chunks that are cut at the given places. */
const readInChunks = (bytes: Buffer, cuts: readonly number[], longBytes: number): Promise<unknown> => {
  const scanner = createScanner(100_000, longBytes);
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (let i = 1; i < edges.length; i += 1) scanner.push(bytes.subarray(edges[i - 1], edges[i]));
  return assemble(scanner.end(), JSON.parse, createTimeSlices());
};

t.test('JSON parsed in chunks equals JSON parsed at once', async () => {
  const strings = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
    fc.string({ unit: fc.constantFrom('\\', '"', 'a', '\n', 'ü'), maxLength: 40 }),
  );
  const values = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, strings, fc.integer(), fc.boolean(), tie('list'), tie('record')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    record: fc.dictionary(fc.constantFrom('a', 'b', 'a"b', 'c\\'), tie('value'), { maxKeys: 3 }),
  })).value;
  const cuts = fc.array(fc.nat(), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      values,
      cuts,
      fc.integer({ min: 0, max: 20 }),
      fc.boolean(),
      async (value, at, longBytes, ascii) => {
        const json = JSON.stringify(value);
        const written = ascii
          ? json.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
          : json;
        // Long keys are not put back, only long values.
        if (/"a\\"b"|"c\\\\"/.test(json) && longBytes < 5) return;
        const got = await readInChunks(Buffer.from(written), at, Math.max(longBytes, 1));
        if (JSON.stringify(got) !== json) throw new Error(`${JSON.stringify(got)} is not ${json}`);
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('invalid JSON is refused', async (t) => {
  for (const bad of ['"abc', '"ab\\', '"a\nbcdef"', '"abcdef\\x"', '{"a":"abcdef}', 'abcdef', '"abcdef""']) {
    await t.rejects(readInChunks(Buffer.from(bad), [3], 3), bad);
  }
  await t.rejects(readInChunks(Buffer.from([0x22, 0x61, 0x61, 0x61, 0xff, 0x61, 0x22]), [], 3), 'no UTF-8');
});

t.test('a body that is there at once is taken in turns of 64 KiB', async (t) => {
  const app = { decorateRequest() {}, addHook() {}, decorate() {} } as unknown as FastifyInstance;
  const receive = receiveBodies(app, createBodyBudget(10_000_000));
  const raw = { socket: Object.assign(new EventEmitter(), { bytesRead: 0 }), destroyed: false };
  const request = { raw, headers: {}, principal: { accountId: 'a' }, bodyPayer: null };
  const pieces = Array.from({ length: 64 }, () => Buffer.alloc(16_384));
  let [turn, isOver] = [0, false];
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const taken = new Map<number, number>();
  const body = Readable.from(pieces, { highWaterMark: pieces.length });
  await receive(request as unknown as FastifyRequest, body, 10_000_000, (chunk) => {
    raw.socket.bytesRead += chunk.length;
    taken.set(turn, (taken.get(turn) ?? 0) + chunk.length);
  });
  isOver = true;
  t.equal(
    [...taken.values()].reduce((sum, bytes) => sum + bytes),
    64 * 16_384,
  );
  t.ok(Math.max(...taken.values()) <= 65_536, `${Math.max(...taken.values())} bytes in a turn`);
});

t.test('bodies are limited', async (t) => {
  const { call, account } = await startApp(t, { BULK_BODY_LIMIT: '200000', BODIES_IN_FLIGHT_MAX: '1000000' });
  const { key } = await account();
  const bulk = (body: string, headers = {}) =>
    call({ method: 'POST', url: '/api/v1/qr/bulk', key, body, headers });

  t.test('by the limit of the route, with a 413', async (t) => {
    const answer = await bulk(`{"items":[{"data":"${'x'.repeat(200_000)}"}]}`);
    t.equal(answer.status, 413);
    t.strictSame(Object.keys(answer.json), ['error', 'details']);
  });

  t.test('by the memory of all bodies, with a 503, and release it afterwards', async (t) => {
    const { call, account } = await startApp(t, { BODIES_IN_FLIGHT_MAX: '1024' });
    const { key } = await account();
    const single = (data: string) => call({ method: 'POST', url: '/api/v1/qr', key, body: { data } });
    for (let i = 0; i < 5; i += 1) t.equal((await single('x'.repeat(500))).status, 200);
    const answer = await single('x'.repeat(1100));
    t.equal(answer.status, 503);
    t.equal(answer.headers['retry-after'], '2');
    t.equal((await single('x')).status, 200);
    const send = (bytes: number) =>
      call({
        ...{ method: 'POST', url: '/api/v1/resolver/items/import', key },
        ...{ headers: { 'content-type': 'text/csv' }, body: 'x'.repeat(bytes) },
      });
    t.equal((await send(1100)).status, 503, 'a table counts too');
    t.equal((await send(500)).status, 400);
    t.equal((await single('x'.repeat(500))).status, 200, 'and is released');
  });

  t.test('and the answer names a field that is too long', async (t) => {
    const single = (body: object) => call({ method: 'POST', url: '/api/v1/qr', key, body });
    const long = 'x'.repeat(100_000);
    t.match((await single({ data: long })).json.details, /^data: must have at most 4296/);
    t.match((await single({ data: 'x', image: long })).json.details, /^image: must be an http/);
    t.match((await single({ data: 'x', shape: long })).json.details, /^shape: must be one of/);
  });
});

t.test('bodies that hardly come on are given up when another one needs their room', async (t) => {
  let nowMs = 0;
  const budget = createBodyBudget(1_000_000, () => nowMs);
  const givenUp: string[] = [];
  const body = (account: string, bytes: number) => {
    const hold = budget.ofCustomer(account, ({ code }) => givenUp.push(`${account}: ${code}`));
    hold.add(bytes);
    return hold;
  };
  body('stalled', 300_000);
  body('stalled, but small', 70_000);
  const moving = body('moving', 300_000);
  const whole = body('whole', 200_000);
  whole.received();
  nowMs = 4000;
  moving.add(70_000);
  t.throws(() => body('other', 100_000), { code: 'overloaded' }, 'they have five seconds');
  nowMs = 6000;
  t.ok(budget.hasRoom(400_000));
  t.notOk(budget.hasRoom(500_000));
  const other = body('other', 100_000);
  t.strictSame(givenUp, ['stalled: overloaded'], 'the largest, and no more than is needed');
  t.equal(budget.stats().customers, 740_000);
  moving.add(130_000);
  moving.add(130_000);
  t.throws(() => other.add(100_000), { code: 'overloaded' });
  t.strictSame(givenUp, ['stalled: overloaded', 'stalled, but small: overloaded']);
  for (const hold of [moving, whole, other]) hold.release();
});

interface Answer {
  readonly meta?: { readonly successful: number };
  readonly results?: readonly { readonly error?: string }[];
}

/** The distinct errors of the items. */
const failuresOf = ({ results = [] }: Answer): string =>
  [...new Set(results.flatMap(({ error }) => error ?? []))].join('; ');

t.test('other calls are served during a bulk call with 100 full-size logos', async (t) => {
  const dataDir = await embeddedFolder(t);
  const gateway = await startGateway(t, {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_SECOND: '0',
    // The promise is only that the call succeeds: a busy machine may take its time.
    QUOTA_RESERVATION_TTL_MS: '400000',
  });
  const key = await demoKeyIn(dataDir);
  const rssMb = async (): Promise<number> => {
    const { readFile } = await import('node:fs/promises');
    const status = await readFile(`/proc/${gateway.process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024;
  };

  const items = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => ({ data: `logo ${i}`, image: await fullSizeLogo(i) })),
  );
  const body = JSON.stringify({ items });
  t.comment(`body of ${(body.length / 1e6).toFixed(0)} MB, logos of ${items[0]!.image.length} characters`);

  let done = false;
  const answering = fetch(`${gateway.url}/api/v1/qr/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  }).then(async (answer) => {
    const json = (await answer.json()) as Answer;
    done = true;
    return { status: answer.status, json };
  });
  const waitsMs: number[] = [];
  while (!done) {
    const startedMs = performance.now();
    const answer = await fetch(`${gateway.url}/healthz`);
    await answer.arrayBuffer();
    if (answer.status !== 200) t.fail(`/healthz answered ${answer.status}`);
    waitsMs.push(performance.now() - startedMs);
    await sleep(5);
  }
  const { status, json } = await answering;
  t.equal(status, 200, JSON.stringify(json).slice(0, 300));
  // Its service says so when a logo takes too long on a busy machine.
  const late = (json.results ?? []).filter(({ error }) => error && /the service is busy/.test(error)).length;
  t.equal((json.meta?.successful ?? 0) + late, 100, failuresOf(json));
  t.ok(late < 50, `${late} logos were late`);
  t.ok(waitsMs.length > 0);
  waitsMs.sort((a, b) => a - b);
  const percentile = (p: number) => waitsMs[Math.min(waitsMs.length - 1, Math.floor(p * waitsMs.length))]!;
  t.comment(
    `${waitsMs.length} other requests: p50 ${percentile(0.5).toFixed(1)} ms, p99 ${percentile(0.99).toFixed(1)} ms, most ${percentile(1).toFixed(1)} ms`,
  );
  const peakMb = await rssMb();
  t.comment(`peak memory ${peakMb.toFixed(0)} MB`);
  t.ok(peakMb < 1500, `peak memory ${peakMb.toFixed(0)} MB is below 1500 MB`);
});

/** Incompressible noise: a PNG whose data URI is just below 2,000,000 characters. */
async function fullSizeLogo(seed: number): Promise<string> {
  const { default: sharp } = await import('sharp');
  const side = 700;
  const pixels = Buffer.alloc(side * side * 3);
  const random = createRandom(seed);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = random(256);
  const png = await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
