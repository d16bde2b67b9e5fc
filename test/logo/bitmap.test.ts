import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { scaleTo } from '../../src/logo/sniff.ts';
import { createLogoSource, decodeBase64 } from '../../src/logo/source.ts';
import { blackPng, dataUri, deflatedZeros, pngChunk, svgUri } from '../hostile/pictures.ts';
import { describeCost, describeOutcome, listeningLog, look, measure, stageOf } from './pictures.ts';

const { log } = listeningLog();
const context = { accountId: 'a' };
const source = createLogoSource({}, log);
t.teardown(() => source.close());

/** Left half blue, right half green. */
const halves = (widthPx: number, heightPx: number) =>
  sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: '#0000ff' } }).composite([
    {
      input: { create: { width: widthPx / 2, height: heightPx, channels: 3, background: '#00ff00' } },
      left: widthPx / 2,
      top: 0,
    },
  ]);

const isBlue = ([red = 0, green = 0, blue = 0, alpha = 0]: number[]): boolean =>
  blue > 200 && green < 60 && red < 60 && alpha === 255;
const isGreen = ([red = 0, green = 0, blue = 0, alpha = 0]: number[]): boolean =>
  green > 200 && blue < 60 && red < 60 && alpha === 255;

t.test('every accepted bitmap type is decoded to its exact pixels', async (t) => {
  for (const type of ['png', 'jpeg', 'webp', 'gif'] as const) {
    const bytes = await halves(80, 40).toFormat(type).toBuffer();
    const outcome = await source.resolve(dataUri(type, bytes), context);
    const seen = look(outcome);
    t.same([seen.widthPx, seen.heightPx], [80, 40], type);
    t.ok(isBlue(seen.at(10, 20)) && isGreen(seen.at(70, 20)), `${type} shows blue and green`);
  }
});

t.test('transparency is kept, and other colour spaces are converted to 8-bit sRGB', async (t) => {
  const clear = sharp({ create: { width: 8, height: 8, channels: 4, background: '#00ff0080' } });
  const half = look(await source.resolve(dataUri('png', await clear.png().toBuffer()), context));
  t.ok(Math.abs((half.at(4, 4)[3] ?? 0) - 128) <= 1, 'half transparent');
  const cmyk = await halves(80, 40).toColourspace('cmyk').jpeg().toBuffer();
  t.equal((await sharp(cmyk).metadata()).space, 'cmyk');
  const fromCmyk = look(await source.resolve(dataUri('jpeg', cmyk), context)).at(10, 20);
  t.ok((fromCmyk[2] ?? 0) > 100 && (fromCmyk[1] ?? 255) < 100, `blue-ish: ${fromCmyk}`);
  const deep = await source.resolve(dataUri('png', blackPng(6, 6, { bitDepth: 16, colorType: 6 })), context);
  t.ok(deep.ok);
  if (deep.ok) t.equal(deep.value.logo.png[24], 8, 'bit depth of the written PNG');
});

t.test('a JPEG with EXIF rotation is drawn upright, with its width and height swapped', async (t) => {
  // Orientation 6: the first row is the right-hand side, so the left end of the stored picture is at the top.
  const turned = await halves(80, 40).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
  const outcome = await source.resolve(dataUri('jpeg', turned), context);
  const seen = look(outcome);
  t.same([seen.widthPx, seen.heightPx], [40, 80]);
  t.ok(isBlue(seen.at(20, 10)) && isGreen(seen.at(20, 70)));
  t.ok(outcome.ok && outcome.value.logo.widthPx === 40 && outcome.value.logo.heightPx === 80);
});

t.test('the first frame of an animation is drawn', async (t) => {
  const frames = await halves(20, 20).png().toBuffer();
  const other = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  for (const type of ['gif', 'webp'] as const) {
    const bytes = await sharp([frames, other], { join: { animated: true } })
      .toFormat(type, { delay: [50, 50] })
      .toBuffer();
    t.equal((await sharp(bytes).metadata()).pages, 2, `${type} has two frames`);
    const seen = look(await source.resolve(dataUri(type, bytes), context));
    t.same([seen.widthPx, seen.heightPx], [20, 20]);
    t.ok(isBlue(seen.at(3, 10)) && !seen.isRedAnywhere, type);
  }
  const fctl = Buffer.alloc(26);
  fctl.writeUInt32BE(30, 4);
  fctl.writeUInt32BE(30, 8);
  const animation = Buffer.concat([
    pngChunk('acTL', Buffer.from([0, 0, 0, 9, 0, 0, 0, 0])),
    pngChunk('fcTL', fctl),
  ]);
  const apng = await source.resolve(dataUri('png', blackPng(30, 30, { extra: animation })), context);
  t.equal(look(apng).widthPx, 30, 'APNG');
});

t.test('logos are scaled down to 1024 px a side, never up, and report their natural size', async (t) => {
  const wide = dataUri('png', blackPng(4000, 300));
  const full = await source.resolve(wide, context);
  t.ok(
    full.ok && full.value.logo.widthPx === 4000 && full.value.logo.heightPx === 300,
    'the natural size decides the aspect ratio',
  );
  t.same([look(full).widthPx, look(full).heightPx], [1024, 77]);
  const small = look(await source.resolve(dataUri('png', blackPng(3, 2)), context));
  t.same([small.widthPx, small.heightPx], [3, 2]);
});

t.test('scaled sizes are whole numbers, within bounds, and proportional to within half a pixel', async () => {
  const side = fc.double({ min: 0.01, max: 10_000, noNaN: true });
  fc.assert(
    fc.property(side, side, fc.integer({ min: 1, max: 1024 }), (widthPx, heightPx, longestPx) => {
      const scale = longestPx / Math.max(widthPx, heightPx);
      const scaled = scaleTo({ widthPx, heightPx }, longestPx);
      const isNear = (whole: number, exact: number) =>
        Number.isInteger(whole) && (whole === 1 ? exact <= 1.5 : Math.abs(whole - exact) <= 0.5 + 1e-9);
      return (
        Math.max(scaled.widthPx, scaled.heightPx) === longestPx &&
        isNear(scaled.widthPx, widthPx * scale) &&
        isNear(scaled.heightPx, heightPx * scale)
      );
    }),
  );
});

t.test('pictures that are too large are refused by their header', async (t) => {
  const refused: [string, Buffer][] = [
    ['30000 x 30000', blackPng(30_000, 30_000, { bitDepth: 1, colorType: 0 })],
    ['10000 x 10000', blackPng(10_000, 10_000, { bitDepth: 1, colorType: 0 })],
    ['10001 x 1000', blackPng(10_001, 1000, { bitDepth: 1, colorType: 0 })],
    ['2100 x 100', blackPng(2100, 100)],
    ['1 x 21', blackPng(1, 21)],
  ];
  for (const [name, bytes] of refused) {
    const { result, cost } = await measure(() => source.resolve(dataUri('png', bytes), context));
    t.equal(stageOf(result), 'size', `${name}, ${bytes.length} bytes: ${describeOutcome(result)}`);
    t.ok(cost.extraBytes < 64e6, `${name}: ${describeCost(cost)}`);
  }
  const gif = Buffer.from('GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff;', 'latin1');
  t.not(stageOf(await source.resolve(dataUri('gif', gif), context)), 'ok', '65535 x 65535 gif');
  for (const [width, height] of [
    [1, 1],
    [1, 20],
    [2000, 100],
  ] as const) {
    const outcome = await source.resolve(dataUri('png', blackPng(width, height)), context);
    t.equal(stageOf(outcome), 'ok', `${width} x ${height} is accepted`);
  }
});

/** One scan of a progressive JPEG repeated: few bytes, but each scan is a pass over all coefficients. */
const scanBomb = async (): Promise<Buffer> => {
  const image = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#123' } })
    .jpeg({ progressive: true, quality: 1 })
    .toBuffer();
  const lastScan = image.subarray(image.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  const scans = Math.floor(1_000_000 / lastScan.length);
  return Buffer.concat([image.subarray(0, -2), ...Array<Buffer>(scans).fill(lastScan), image.subarray(-2)]);
};

const frameBomb = (): Buffer => {
  const header = Buffer.from('GIF89a\x00\x10\x00\x10\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from('2c0000000000100010000208848484848484848400', 'hex');
  return Buffer.concat([header, ...Array<Buffer>(60_000).fill(frame), Buffer.from(';')]);
};

t.test('the costliest bitmaps end in a picture or a fault, and others are served meanwhile', async (t) => {
  const zeros = deflatedZeros(200_000_000);
  const named = Buffer.concat([Buffer.from('a\0\0'), zeros]);
  const bombs: [string, string, Buffer][] = [
    [
      '4096 x 4096 of 16 bits, interlaced',
      'png',
      blackPng(4096, 4096, { bitDepth: 16, colorType: 6, interlaced: true }),
    ],
    ['zTXt of 200 MB', 'png', blackPng(10, 10, { extra: pngChunk('zTXt', named) })],
    ['iCCP of 200 MB', 'png', blackPng(10, 10, { extra: pngChunk('iCCP', named) })],
    ['60,000 frames', 'gif', frameBomb()],
    [
      'lossless webp 4096 x 4096',
      'webp',
      await sharp({ create: { width: 4096, height: 4096, channels: 4, background: '#0f08' } })
        .webp({ lossless: true })
        .toBuffer(),
    ],
  ];
  for (const [name, type, bytes] of bombs) {
    const other = dataUri(
      'png',
      await sharp(blackPng(9, 9))
        .composite([
          { input: Buffer.from([bytes.length % 256, 0, 0]), raw: { width: 1, height: 1, channels: 3 } },
        ])
        .png()
        .toBuffer(),
    );
    const { result, cost } = await measure(() =>
      Promise.all([source.resolve(dataUri(type, bytes), context), source.resolve(other, { accountId: 'b' })]),
    );
    t.comment(`${name} (${bytes.length} bytes): ${describeOutcome(result[0])}; ${describeCost(cost)}`);
    t.match(stageOf(result[0]), /^(ok|decode|size|busy)$/, name);
    t.equal(stageOf(result[1]), 'ok', `another logo during ${name}`);
    t.ok(cost.extraBytes < 300e6, describeCost(cost));
  }
});

t.test('a JPEG with more scans than encoders write is refused by content, not by timeout', async (t) => {
  const outcome = await source.resolve(dataUri('jpeg', await scanBomb()), context);
  t.match(outcome, { fault: { stage: 'decode', message: /^is a progressive JPEG of \d+ scans; / } });
  const usual = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#123' } })
    .jpeg({ progressive: true })
    .toBuffer();
  t.equal(stageOf(await source.resolve(dataUri('jpeg', usual), context)), 'ok');
});

t.test('damaged, truncated, mislabelled and unknown files cause faults that say so', async (t) => {
  const png = await halves(80, 40).png().toBuffer();
  const jpeg = await halves(80, 40).jpeg().toBuffer();
  const cases: [string, string, string][] = [
    ['cut off png', dataUri('png', png.subarray(0, png.length / 2)), 'decode'],
    ['cut off jpeg', dataUri('jpeg', jpeg.subarray(0, jpeg.length / 2)), 'decode'],
    ['magic number only', dataUri('png', png.subarray(0, 8)), 'decode'],
    [
      'svg labelled png',
      dataUri('png', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'),
      'type',
    ],
    ['png labelled svg', dataUri('svg+xml', png), 'type'],
    ['text', dataUri('png', 'hello'), 'type'],
    ['bmp', dataUri('png', Buffer.from('BM6\0\0\0')), 'type'],
    ['tiff', dataUri('png', await sharp(png).tiff().toBuffer()), 'type'],
    ['avif', dataUri('png', await sharp(png).avif().toBuffer()), 'type'],
    ['gzip', dataUri('png', Buffer.from([0x1f, 0x8b, 8, 0])), 'type'],
  ];
  for (const [name, image, stage] of cases) {
    const outcome = await source.resolve(image, context);
    t.equal(stageOf(outcome), stage, `${name}: ${describeOutcome(outcome)}`);
    t.match(outcome, { fault: { field: 'image', message: /\S/ } }, name);
  }
  t.equal(stageOf(await source.resolve(dataUri('png', jpeg), context)), 'ok', 'types are detected by bytes');
});

t.test('only http(s) URLs and base64 data URIs are accepted', async (t) => {
  const wrong = [
    '',
    'hello',
    '/logo.png',
    '//example.com/logo.png',
    'ftp://example.com/logo.png',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://',
    'http://user:secret@example.com/a.png',
    'https://user@example.com/a.png',
    `https://example.com/${'a'.repeat(5000)}`,
    'data:',
    'data:,',
    'data:image/png,AAAA',
    'data:image/png;base64',
    'data:image/png;base64,',
    'data:image/avif;base64,AAAA',
    'data:text/plain;base64,AAAA',
    'data:text/html;base64,AAAA',
    'data:image/svg+xml,%3Csvg%2F%3E',
    'data:image/svg+xml;utf8,<svg/>',
    'data:image/svg+xml;charset=utf-16;base64,AAAA',
    ` data:image/png;base64,AAAA`,
    `data:image/png;base64,${'A'.repeat(2_000_000)}`,
  ];
  for (const image of wrong) {
    const fault = source.checkSyntax(image);
    t.match(fault, { field: 'image', message: /\S/ }, `${image.slice(0, 50)}: ${fault?.message}`);
    const outcome = await source.resolve(image, context);
    t.equal(stageOf(outcome), 'syntax');
    t.same(outcome.ok || outcome.fault, fault, 'both have the same result');
  }
  const right = [
    'http://example.com/logo.png',
    'https://example.com:443/logo.png?size=2#x',
    'HTTPS://EXAMPLE.COM/',
    'data:image/png;base64,AAAA',
    'DATA:IMAGE/JPEG;BASE64,AAAA',
    'data:image/jpg;base64,AAAA',
    'data:image/svg+xml;charset=utf-8;base64,AAAA',
  ];
  for (const image of right) t.equal(source.checkSyntax(image), null, image);
});

t.test('base64 is decoded strictly, except for white space', async (t) => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(bytes, fc.nat(), (data, at) => {
      const text = Buffer.from(data).toString('base64');
      const cut = at % (text.length + 1);
      const folded = `${text.slice(0, cut)}\r\n ${text.slice(cut)}`;
      return (
        decodeBase64(folded)?.equals(data) === true && decodeBase64(text.replace(/=+$/, ''))?.equals(data)
      );
    }),
  );
  const stray = fc.constantFrom('%', '!', '=A', '<', '\0', 'é', 'Ł', '.');
  fc.assert(
    fc.property(bytes, fc.nat(), stray, (data, at, junk) => {
      const text = Buffer.from(data).toString('base64').replace(/=+$/, '');
      const cut = at % text.length;
      return decodeBase64(text.slice(0, cut) + junk + text.slice(cut)) === null;
    }),
    { numRuns: 500 },
  );
  t.equal(stageOf(await source.resolve('data:image/png;base64,%89PNG', context)), 'syntax');
});

t.test('a logo is decoded once, and the cached copy cannot be damaged by its users', async (t) => {
  const image = dataUri('png', blackPng(50, 50));
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, i) => source.resolve(image, { accountId: `account ${i % 3}` })),
  );
  const logos = new Set(outcomes.map((outcome) => outcome.ok && outcome.value.logo.png));
  t.equal(logos.size, 1, 'a hundred items share one PNG');
  const [png] = logos;
  if (!png) throw new Error('refused');
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(png, [png.buffer as ArrayBuffer]);
  port1.close();
  port2.close();
  t.ok(png.byteLength > 0, 'its buffer cannot be transferred by mistake');
});

t.test('a valid logo and a malformed copy of it do not affect each other in the cache', async (t) => {
  const good = dataUri('png', blackPng(51, 50));
  const at = good.indexOf('A', 40);
  // U+0141 has the letter A in its low byte.
  const bad = `${good.slice(0, at)}\u0141${good.slice(at + 1)}`;
  t.equal(stageOf(await source.resolve(bad, context)), 'syntax');
  t.equal(stageOf(await source.resolve(good, context)), 'ok');
  t.equal(stageOf(await source.resolve(bad, context)), 'syntax');
});

t.test('the cache stays within its limit in bytes', async (t) => {
  const small = createLogoSource({ cacheMaxBytes: 40_000 }, log);
  t.teardown(() => small.close());
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  for (let i = 0; i < 6; i++) {
    const create = { width: 60 + i, height: 40, channels: 3, background: '#000', noise } as const;
    const outcome = await small.resolve(dataUri('png', await sharp({ create }).png().toBuffer()), context);
    t.ok(outcome.ok && outcome.value.logo.png.length > 4000);
  }
  const { cacheBytes, cacheEntries } = small.stats();
  t.ok(cacheBytes <= 20_000 && cacheEntries < 6, `${cacheEntries} entries, ${cacheBytes} bytes`);
});

/** Asks again while a busy machine does not prepare a logo in time. */
const resolvePatiently = async (image: string): Promise<Awaited<ReturnType<typeof source.resolve>>> => {
  const outcome = await source.resolve(image, context);
  return stageOf(outcome) === 'busy' ? resolvePatiently(image) : outcome;
};

t.test('during a batch of a hundred full-size logos the event loop keeps turning', async (t) => {
  const noise = await sharp({
    create: {
      width: 700,
      height: 700,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 80 },
    },
  })
    .png({ compressionLevel: 0 })
    .toBuffer();
  // Padding after the end of a picture costs no decoding; every tenth logo has noise to decode.
  const bases = [noise, blackPng(9, 9)].map((png) => Buffer.concat([png, Buffer.alloc(1_400_000)]));
  const images = Array.from({ length: 100 }, (_, i) =>
    dataUri('png', Buffer.concat([bases[i % 10 === 0 ? 0 : 1]!.subarray(0, 1_480_000), Buffer.from([i])])),
  );
  let ticks = 0;
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    ticks++;
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const { result, cost } = await measure(() => Promise.all(images.map(resolvePatiently)));
  clearInterval(timer);
  t.comment(
    `100 x ${images[0]?.length} characters: ${describeCost(cost)}, longest pause ${longest.toFixed(0)} ms`,
  );
  t.same([...new Set(result.map(stageOf))], ['ok'], 'a valid bulk call is never refused');
  t.ok(ticks >= 100, `the loop turned ${ticks} times`);
  t.ok(cost.extraBytes < 300e6, describeCost(cost));
});

t.test('no bytes after a valid header make it throw', async () => {
  const beginnings = [
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    [0xff, 0xd8, 0xff],
    [...Buffer.from('GIF89a')],
    [...Buffer.from('RIFF\x40\0\0\0WEBPVP8L')],
    [...Buffer.from('RIFF\x40\0\0\0WEBPVP8X')],
    [0x1f, 0x8b],
    [],
  ];
  const samples = await Promise.all(
    (['png', 'jpeg', 'webp', 'gif'] as const).map((type) => halves(16, 8).toFormat(type).toBuffer()),
  );
  const raw = fc
    .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }))
    .map(([head, tail]) => Buffer.from([...head, ...tail]));
  const damaged = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
    )
    .map(([sample, edits]) => {
      const bytes = Buffer.from(sample);
      for (const [at, value] of edits) bytes[at % bytes.length] = value;
      return bytes;
    });
  const type = fc.constantFrom('png', 'jpeg', 'webp', 'gif', 'svg+xml');
  await fc.assert(
    fc.asyncProperty(fc.oneof(raw, damaged), type, async (bytes, label) => {
      const outcome = await source.resolve(dataUri(label, bytes), context);
      return outcome.ok
        ? look(outcome).widthPx > 0
        : outcome.fault.stage !== 'busy' && outcome.fault.stage !== 'fetch';
    }),
    { numRuns: 400 },
  );
});

t.test('no text as a logo makes it throw', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ maxLength: 60 }).map((s) => `data:image/${s}`),
    fc.string({ maxLength: 60 }).map((s) => `data:image/png;base64,${s}`),
  );
  await fc.assert(
    fc.asyncProperty(text, async (image) => {
      const fault = source.checkSyntax(image);
      const outcome = await source.resolve(image, context);
      return fault === null || (!outcome.ok && outcome.fault.message === fault.message);
    }),
    { numRuns: 300 },
  );
});

t.test('the counters count logos by outcome', async (t) => {
  const counted = createLogoSource({}, log);
  t.teardown(() => counted.close());
  await counted.resolve(dataUri('png', blackPng(5, 5)), context);
  await counted.resolve(svgUri('viewBox="0 0 5 5"', '<rect width="5" height="5"/>'), context);
  await counted.resolve('hello', context);
  t.match(counted.stats(), {
    outcomes: { ok: 2, syntax: 1 },
    cacheEntries: 2,
    svgs: { running: 0, waiting: 0, drawn: 1, started: 1 },
    bitmaps: { running: 0, waiting: 0 },
    urls: { running: 0, waiting: 0, cacheEntries: 0 },
  });
});
