import t from 'tap';
import { failDrawing, type RenderOutcome, refuseUnfit } from '../../src/render/outcome.ts';
import { createResultCache, pictureKey } from '../../src/render/result-cache.ts';
import { ok } from '../../src/result.ts';
import type { Rendered, RenderTask } from '../../workers/protocol.ts';
import { DEFAULT_DESIGN } from '../support/pictures/designs.ts';

const task = (overrides: Partial<RenderTask> = {}): RenderTask => ({
  text: 'hello',
  design: DEFAULT_DESIGN,
  logo: null,
  format: 'png',
  ...overrides,
});

const KEY = pictureKey({ ...task(), logoSha256: null });

const picture = (length = 10) =>
  ok<Rendered>({
    bytes: new Uint8Array(length),
    lane: 'plain',
    grade: 4,
    warnings: '',
    renderMs: 1,
  });

/** A renderer that counts its calls and answers when the test says so. */
const renderer = () => {
  const waiting: { resolve: (outcome: RenderOutcome) => void; reject: (error: Error) => void }[] = [];
  return {
    waiting,
    render: () => new Promise<RenderOutcome>((resolve, reject) => waiting.push({ resolve, reject })),
  };
};

const never = async (): Promise<never> => {
  throw new Error('drawn');
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

t.test('a picture is drawn only once', async (t) => {
  const cache = createResultCache({ maxBytes: 1e6 });
  const drawn = picture();
  t.equal(await cache.through(task(), null, async () => drawn), drawn);
  t.equal(await cache.through(task(), null, never), drawn);
  t.match(cache.stats(), { hits: 1, misses: 1, shared: 0, entries: 1 });
});

t.test('a picture that was found stays usable when the cache evicts it', async (t) => {
  const bytes = 1000;
  const cache = createResultCache({ maxBytes: 8 * (bytes + 500) });
  t.equal(cache.find(KEY), null);
  const drawn = picture(bytes);
  await cache.through(task(), null, async () => drawn);
  const found = cache.find(KEY);
  t.match(cache.stats(), { hits: 1, misses: 1, entries: 1 }, 'a look-up without a result is not a miss');
  for (const text of '123456789') await cache.through(task({ text }), null, async () => picture(bytes));
  t.equal(cache.find(KEY), null);
  t.equal(found, drawn.value);
  t.equal(found!.bytes.length, bytes);
});

t.test('everything that affects the picture is part of the cache key', async (t) => {
  const cache = createResultCache({ maxBytes: 1e6 });
  const logo = { png: new Uint8Array(1), widthPx: 1, heightPx: 1 };
  const variants: [RenderTask, string | null][] = [
    [task(), null],
    [task({ text: 'Hello' }), null],
    [task({ format: 'svg' }), null],
    [task({ design: { ...DEFAULT_DESIGN, widthPx: 301 } }), null],
    [task({ logo }), 'one'],
    [task({ logo }), 'other'],
  ];
  for (const [variant, hash] of variants) await cache.through(variant, hash, async () => picture());
  t.match(cache.stats(), { hits: 0, misses: variants.length, entries: variants.length });
  await t.rejects(cache.through(task({ logo }), null, never), /logo and its hash/);
});

t.test('identical concurrent requests share one task', async (t) => {
  const cache = createResultCache({ maxBytes: 1e6 });
  const { render, waiting } = renderer();
  const asked = Array.from({ length: 5 }, () => cache.through(task(), null, render));
  await settled();
  t.equal(waiting.length, 1);
  const drawn = picture();
  waiting[0]!.resolve(drawn);
  t.ok((await Promise.all(asked)).every((outcome) => outcome === drawn));
  t.match(cache.stats(), { misses: 1, shared: 4, hits: 0 });
});

t.test('failures are not cached, and only faults of the picture itself are shared', async (t) => {
  const cases: [RenderOutcome, number][] = [
    [refuseUnfit({ field: 'data', message: 'too long' }), 1],
    [failDrawing('crashed'), 1],
    [failDrawing('hung'), 1],
    [failDrawing('queue_full'), 2],
    [failDrawing('deadline'), 2],
    [failDrawing('closed'), 2],
  ];
  for (const [failure, calls] of cases) {
    const cache = createResultCache({ maxBytes: 1e6 });
    const { render, waiting } = renderer();
    const first = cache.through(task(), null, render);
    const second = cache.through(task(), null, render);
    await settled();
    waiting[0]!.resolve(failure);
    t.equal(await first, failure);
    await settled();
    t.equal(waiting.length, calls, JSON.stringify(failure));
    const drawn = picture();
    waiting[1]?.resolve(drawn);
    t.equal(await second, calls === 1 ? failure : drawn);
    if (calls === 2) continue;
    t.equal(await cache.through(task(), null, async () => drawn), drawn, 'the next request draws again');
  }
});

t.test('a renderer that throws leaves nothing in the cache', async (t) => {
  const cache = createResultCache({ maxBytes: 1e6 });
  const { render, waiting } = renderer();
  const first = cache.through(task(), null, render);
  await settled();
  waiting[0]!.reject(new Error('broken'));
  await t.rejects(first, /broken/);
  const drawn = picture();
  t.equal(await cache.through(task(), null, async () => drawn), drawn);
});

t.test('the cache is limited in bytes, and the least recently used picture is evicted first', async (t) => {
  const cache = createResultCache({ maxBytes: 100_000 });
  const ask = (text: string, length = 9_500) =>
    cache.through(task({ text }), null, async () => picture(length));
  for (let index = 0; index < 10; index += 1) await ask(`${index}`);
  t.match(cache.stats(), { entries: 10, misses: 10 });
  await ask('0');
  await ask('10');
  const { bytes, entries } = cache.stats();
  t.ok(bytes <= 100_000, `${bytes}`);
  t.equal(entries, 10);
  await ask('0');
  t.equal(cache.stats().hits, 2, 'a picture that was requested again stays');
  await ask('1');
  t.equal(cache.stats().misses, 12, 'the one that was not requested was evicted');
  await ask('big', 50_000);
  await ask('big', 50_000);
  t.equal(cache.stats().misses, 14, 'a picture of half the cache size is not cached');
  t.equal(cache.stats().entries, 10);
});

t.test('a picture in a larger buffer counts with the size of the whole buffer', async (t) => {
  const cache = createResultCache({ maxBytes: 100_000 });
  const bytes = new Uint8Array(new ArrayBuffer(50_000), 0, 10);
  await cache.through(task(), null, async () => ok({ ...picture().value, bytes }));
  t.equal(cache.stats().entries, 0);
});

t.test('a picture may take an eighth of the cache, including the overhead of its entry', async (t) => {
  const kept = async (length: number): Promise<number> => {
    const cache = createResultCache({ maxBytes: 80_000 });
    await cache.through(task(), null, async () => picture(length));
    return cache.stats().entries;
  };
  t.strictSame([await kept(9_500), await kept(9_501)], [1, 0]);
});
