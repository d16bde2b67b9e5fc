/** Reading pictures: PNG files as luma, the conditions, the readers, and their threads. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import t from 'tap';
import { blur, reduce, underCondition } from '../../src/reading/conditions.ts';
import { type Luma, readPng } from '../../src/reading/png.ts';
import { createReaders, createShares, type Shares } from '../../src/reading/readers.ts';
import { render } from '../../workers/render.ts';
import { DEFAULT_DESIGN, holds } from '../support/pictures/designs.ts';
import { readSharp } from '../support/pictures/readers.ts';
import { silent } from '../support/silent-log.ts';

const draw = (text: string, design = DEFAULT_DESIGN): Uint8Array => {
  const drawn = render({ text, design, logo: null, format: 'png' });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  return drawn.value.bytes;
};

const lumaOf = (png: Uint8Array): Luma => {
  const read = readPng(png);
  if (!read.ok) throw new Error(read.fault);
  return read.value;
};

t.test('PNG files of every kind are decoded to the same luma as with sharp on white', async (t) => {
  const random = Buffer.from(Array.from({ length: 37 * 23 * 4 }, (_, i) => (i * 7919) % 256));
  const source = sharp(random, { raw: { width: 37, height: 23, channels: 4 } });
  const kinds: Readonly<Record<string, Sharp>> = {
    'rgba 8': source.clone().png(),
    'rgba 16': source.clone().toColourspace('rgb16').png(),
    'rgb 8': source.clone().removeAlpha().png(),
    'grey 8': source.clone().removeAlpha().toColourspace('b-w').png(),
    'grey and alpha': source.clone().toColourspace('b-w').png(),
    'palette 8': source.clone().removeAlpha().png({ palette: true, colours: 200, dither: 0 }),
    'palette 4': source.clone().removeAlpha().png({ palette: true, colours: 12, dither: 0 }),
    'palette 2': source.clone().removeAlpha().png({ palette: true, colours: 4, dither: 0 }),
    'palette 1': source.clone().removeAlpha().png({ palette: true, colours: 2, dither: 0 }),
    'palette with alpha': source.clone().png({ palette: true, colours: 60, dither: 0 }),
    'all filters': source.clone().png({ adaptiveFiltering: true }),
  };
  for (const [name, kind] of Object.entries(kinds)) {
    const png = await kind.toBuffer();
    const { data, info } = await sharp(png)
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const seen = lumaOf(png);
    const worst = seen.data.reduce((most, value, i) => {
      const [red, green, blue] = [0, 1, 2].map((c) => data[i * info.channels + (info.channels < 3 ? 0 : c)]!);
      return Math.max(most, Math.abs(value - (0.299 * red! + 0.587 * green! + 0.114 * blue!)));
    }, 0);
    t.ok(worst < 3, `${name}: ${worst.toFixed(2)} levels of difference at most`);
  }
});

t.test('damaged, truncated and hostile files are refused with a reason', async (t) => {
  const png = Buffer.from(draw('x'));
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(60_000, 16);
  t.match(readPng(bomb), { ok: false }, 'a header with a wrong checksum');
  for (const [width, height] of [
    [0, 1_000_000],
    [1_000_000, 0],
  ] as const) {
    const empty = Buffer.from(png);
    empty.writeUInt32BE(width, 16);
    empty.writeUInt32BE(height, 20);
    empty.writeUInt32BE(crc32(empty.subarray(12, 29)), 29);
    t.match(readPng(empty), { fault: 'it has no pixels' });
  }
  t.match(readPng(await sharp(png).png({ progressive: true }).toBuffer()), { fault: /interlaced/ });
  t.match(readPng(Buffer.from('<svg/>')), { fault: 'it is not a PNG' });
  holds(
    t,
    fc.property(fc.nat(png.length - 1), fc.nat(255), fc.nat(png.length), (at, value, length) => {
      const changed = Buffer.from(png);
      const isSame = changed[at] === value;
      changed[at] = value;
      return (
        readPng(changed).ok === isSame && (length === png.length || !readPng(png.subarray(0, length)).ok)
      );
    }),
  );
});

t.test('a reduced picture has the mean of the covered pixels, and blurring keeps the light', async (t) => {
  const luma = lumaOf(draw('light'));
  const mean = ({ data }: Luma) => data.reduce((sum, value) => sum + value, 0) / data.length;
  for (const scale of [0.999, 3 / 7, 0.5, 0.1]) {
    const reduced = reduce(luma, scale);
    t.equal(reduced.widthPx, Math.round(luma.widthPx * scale));
    t.ok(Math.abs(mean(reduced) - mean(luma)) < 1, `${scale}: ${mean(reduced)} and ${mean(luma)}`);
  }
  const halves = { widthPx: 4, heightPx: 2, data: Uint8Array.of(0, 200, 50, 50, 100, 100, 50, 50) };
  t.strictSame([...reduce(halves, 0.5).data], [100, 50]);

  const dot = { widthPx: 21, heightPx: 21, data: new Uint8Array(441) };
  dot.data[10 * 21 + 10] = 255;
  const blurred = blur(dot, 1);
  // 255 / (2 pi sigma^2) in the middle, and e^-0.5 of that one pixel away.
  t.ok(Math.abs(blurred.data[10 * 21 + 10]! - 40.6) < 1, 'the middle');
  t.ok(Math.abs(blurred.data[10 * 21 + 11]! - 24.6) < 1, 'beside it');
  const edge = blur({ widthPx: 9, heightPx: 9, data: new Uint8Array(81).fill(77) }, 2);
  t.ok(
    edge.data.every((value) => value === 77),
    'edge pixels are extended outwards',
  );
  t.equal(underCondition(luma, 'small', 2).widthPx, luma.widthPx, 'a small picture stays as it is');
});

t.test('both readers read a valid code, and find nothing in an empty picture', async (t) => {
  const readers = await createReaders({ threads: 1, share: () => 1 }, silent);
  t.teardown(() => readers.close());
  const texts = ['https://qr.example/l/4fGk2LmQ', '0123456789', 'A:B', 'line\nline', 'x'.repeat(600)];
  for (const text of texts) {
    const { sights, fault } = await readers.read(draw(text));
    t.equal(fault, null);
    t.equal(sights.length, 6);
    t.ok(
      sights.every((sight) => sight.text === text),
      `${text.slice(0, 30)} ${JSON.stringify(sights.filter((sight) => sight.text !== text))}`,
    );
  }
  const white = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const nothing = await readers.read(white);
  t.ok(nothing.sights.length === 6 && nothing.sights.every(({ text }) => text === null));
  t.match(await readers.read(Buffer.from('no picture')), { fault: 'it is not a PNG', sights: [] });
});

/** The nice value of every thread of this process by its id: field 19 of /proc/pid/task/tid/stat, proc(5). */
const niceOfThreads = (): ReadonlyMap<string, number> =>
  new Map(
    readdirSync('/proc/self/task').map((id) => [
      id,
      Number(readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]),
    ]),
  );

const isLinux = process.platform === 'linux';
t.test(
  'reading threads have the lowest priority, and other threads keep theirs',
  { skip: !isLinux && 'only Linux has thread priorities' },
  async (t) => {
    const before = niceOfThreads();
    const readers = await createReaders({ threads: 2, share: () => 2 }, silent);
    t.teardown(() => readers.close());
    await Promise.all([1, 2, 3, 4].map((i) => readers.read(draw(String(i)))));
    const after = niceOfThreads();
    const lowest = [...after].filter(([id, nice]) => nice === 19 && !before.has(id)).length;
    t.ok(lowest >= 1 && lowest <= 2, `${lowest} threads with the lowest priority`);
    // Threads of an earlier test may end meanwhile.
    const changed = [...before].filter(([id, nice]) => nice !== (after.get(id) ?? nice));
    t.strictSame(changed, [], 'other threads keep their priority');
  },
);

/** Lets `count` callers work for `workMs` each. Returns how many worked at a time at most, and the time of all. */
const workThrough = async (shares: Shares, count: number, workMs: number) => {
  let working = 0;
  let most = 0;
  const startedMs = performance.now();
  const callers = Array.from({ length: count }, async () => {
    await shares.enter();
    working += 1;
    most = Math.max(most, working);
    await sleep(workMs);
    working -= 1;
    void shares.leave(workMs);
  });
  await Promise.all(callers);
  return { most, tookMs: performance.now() - startedMs };
};

t.test('no more pictures are read at the same time than the share of cores allows', async (t) => {
  for (const [share, most] of [
    [0.25, 1],
    [1, 1],
    [1.75, 2],
    [4, 4],
  ] as const) {
    t.equal(
      (
        await workThrough(
          createShares(() => share),
          12,
          2,
        )
      ).most,
      most,
      `a share of ${share}`,
    );
  }
  // Five times 10 ms of work, with four pauses of 30 ms in between.
  const { tookMs } = await workThrough(
    createShares(() => 0.25),
    5,
    10,
  );
  t.ok(tookMs > 165, `a quarter of one: 50 ms of work took ${tookMs} ms`);

  let share = 1;
  const shares = createShares(() => share);
  await shares.enter();
  const others = workThrough(shares, 6, 2);
  share = 3;
  await shares.leave(1);
  t.equal((await others).most, 3, 'a changed share takes effect');
  const slow = createShares(() => 0.01);
  const held = workThrough(slow, 50, 1);
  slow.close();
  t.ok((await held).tookMs < 5000, 'closing ends the pauses');
});

t.test('ZBar reads non-ASCII texts too if they declare UTF-8', async (t) => {
  const readers = ['zxing', 'jsqr', 'zbar'] as const;
  for (const text of ['Café', '日本', 'Привет мир']) {
    const { symbol } = DEFAULT_DESIGN;
    const [marked, plain] = await readSharp([
      draw(text, { ...DEFAULT_DESIGN, symbol: { ...symbol, eci: true } }),
      draw(text),
    ]);
    for (const reader of readers) t.equal(marked![reader], text, `${text}: ${reader}`);
    for (const reader of ['zxing', 'jsqr'] as const)
      t.equal(plain![reader], text, `${text} without: ${reader}`);
    if (text !== 'Привет мир') t.not(plain!.zbar, text, `${text}: as in the README`);
  }
});
