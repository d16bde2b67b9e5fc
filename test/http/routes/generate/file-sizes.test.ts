/** For any requested file size, the answer is a readable picture of that size, or a 400 that names a possible one. */

import assert from 'node:assert/strict';
import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import sharp from 'sharp';
import t from 'tap';
import { type FileFormat, FORMATS, namesOf } from '../../../../workers/lists.ts';
import { sharedApp } from '../../../support/app/app.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { ghostscript } from '../../../support/pictures/print.ts';

const { call, account } = await sharedApp();
const { key } = await account({ monthlyQuota: 100_000 });
const BODY = {
  data: 'https://example.com/file',
  qrOptions: { typeNumber: 3, errorCorrectionLevel: 'H' },
};
/** Modules of version 3. */
const MODULES = 29;
const MM_PER_INCH = 25.4;
const STEPS_MAX = 3;

const LOGO = `data:image/png;base64,${(
  await sharp({ create: { width: 30, height: 20, channels: 3, background: '#c00' } })
    .png()
    .toBuffer()
).toString('base64')}`;
const paper = {
  gradient: {
    type: 'linear',
    colorStops: [
      { offset: 0, color: '#fff' },
      { offset: 1, color: '#dde' },
    ],
  },
};
const STYLES = [
  {},
  { dotsOptions: { type: 'rounded' } },
  { backgroundOptions: paper },
  {
    dotsOptions: {
      type: 'dots',
      gradient: {
        colorStops: [
          { offset: 0, color: '#000' },
          { offset: 1, color: '#600' },
        ],
      },
    },
  },
  { backgroundOptions: { ...paper, round: 0.3 } },
  { dotsOptions: { roundSize: false } },
  { shape: 'circle', backgroundOptions: paper },
  { image: LOGO, imageOptions: { margin: 3.7 } },
  { image: LOGO, backgroundOptions: paper, imageOptions: { imageSize: 0.33, hideBackgroundDots: false } },
];

interface Size {
  readonly module_mm?: number;
  readonly width_mm?: number;
  readonly dpi?: number;
  readonly quiet_zone?: number;
  readonly bleed_mm?: number;
}

const upTo = (min: number, max: number) =>
  fc.double({ min, max, noNaN: true }).map((value) => Number(value.toFixed(5)));
const dotsOf = (dots: number, dpi: number) => (dots * MM_PER_INCH) / dpi;
const size: fc.Arbitrary<Size> = fc
  .record({
    side: fc.oneof(
      fc.constant({}),
      upTo(0.1, 1).map((module_mm) => ({ module_mm })),
      fc.integer({ min: 2, max: 15 }).map((dots) => ({ module_mm: Number(dotsOf(dots, 300).toFixed(6)) })),
      upTo(1, 40).map((width_mm) => ({ width_mm })),
    ),
    rest: fc.record(
      {
        dpi: fc.oneof(fc.constant(300), fc.integer({ min: 72, max: 1200 })),
        quiet_zone: fc.oneof(
          upTo(0, 20),
          fc.nat(40).map((half) => half / 2),
          fc.nat(200).map((tenth) => tenth / 10),
        ),
        bleed_mm: fc.oneof(fc.constant(0), upTo(0, 20)),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ side, rest }: { side: Pick<Size, 'module_mm' | 'width_mm'>; rest: Size }) => {
    // With a wider bleed the picture would have too few pixels to be read here.
    const most = 8 * (side.module_mm ?? (side.width_mm ?? 30) / 60);
    const bleed =
      rest.bleed_mm === undefined ? {} : { bleed_mm: Number(Math.min(rest.bleed_mm, most).toFixed(5)) };
    return { ...side, ...rest, ...bleed };
  });

const ask = (format: FileFormat, body: object, asked: Size) =>
  call({
    method: 'POST',
    url: `/api/v1/qr/file?${new URLSearchParams(Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]))}`,
    key,
    body,
    headers: { accept: FORMATS[format].mediaType },
  });

/** Repeats a refused request with the first value that the refusal names, until the answer is a file. */
const askOn = async (
  format: FileFormat,
  body: object,
  asked: Size,
  steps = STEPS_MAX,
): Promise<{ answer: Awaited<ReturnType<typeof ask>>; asked: Size }> => {
  const answer = await ask(format, body, asked);
  const named = /^(\w+): .*; send ([\d.]+)(?: or [\d.]+)?$/.exec(
    answer.status === 400 ? answer.json.details : '',
  );
  if (named === null || steps === 0) return { answer, asked };
  return askOn(format, body, { ...asked, [named[1]!]: Number(named[2]) }, steps - 1);
};

/** The side in millimetres, without bleed. */
const sideMm = ({ module_mm, width_mm, dpi = 300, quiet_zone = 4 }: Size, across: number): number =>
  width_mm ?? (module_mm ?? dotsOf(10, dpi)) * (across + 2 * quiet_zone);

/** Returns the picture as PNG, and the side that its file states. */
const look = async (format: FileFormat, bytes: Uint8Array) => {
  const text = Buffer.from(bytes).toString('latin1');
  const box = format === 'pdf' ? /\/TrimBox \[([^\]]+)\]/.exec(text)![1]! : '';
  const [left = 0, , right = 0] = box.split(' ').map(Number);
  const sides: Readonly<Partial<Record<FileFormat, number>>> = {
    svg: Number(/ width="([\d.]+)(?:mm)?"/.exec(text)?.[1]) * (text.includes('mm"') ? 1 : MM_PER_INCH / 96),
    pdf: (right - left) * (MM_PER_INCH / 72),
    eps: Number(/%%HiResBoundingBox: 0 0 ([\d.]+)/.exec(text)?.[1]) * (MM_PER_INCH / 72),
  };
  const side = sides[format] ?? (await sharp(bytes).metadata()).width!;
  return { side, png: await rasterise(format, bytes, side) };
};

const rasterise = async (format: FileFormat, bytes: Uint8Array, sideMm: number): Promise<Uint8Array> => {
  if (format === 'png' || format === 'webp') return bytes;
  if (format === 'svg')
    return new Resvg(new TextDecoder().decode(bytes), { fitTo: { mode: 'width', value: 600 } })
      .render()
      .asPng();
  const { rgb, width, height } = await ghostscript(bytes, Math.ceil((600 * MM_PER_INCH) / sideMm));
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
};

const RIM_PX = 60;
const onPaper = (png: Uint8Array): Promise<Uint8Array> =>
  sharp(png)
    .flatten({ background: '#fff' })
    .extend({ top: RIM_PX, bottom: RIM_PX, left: RIM_PX, right: RIM_PX, background: '#fff' })
    .png()
    .toBuffer();

const wantedSide = (format: FileFormat, asked: Size, style: object): number => {
  const isBitmap = format === 'png' || format === 'webp';
  if (Object.keys(asked).length === 0) return isBitmap ? 300 : (300 * MM_PER_INCH) / 96;
  const across = 'shape' in style ? Math.ceil(MODULES * Math.SQRT2) : MODULES;
  const { dpi = 300, bleed_mm = 0 } = asked;
  const mm = sideMm(asked, across);
  if (isBitmap) return Math.round((mm * dpi) / MM_PER_INCH) + 2 * Math.round((bleed_mm * dpi) / MM_PER_INCH);
  return format === 'pdf' ? mm : mm + 2 * bleed_mm;
};

t.test('a file has the requested size and is readable, or the refusal names a possible size', async () => {
  const formats = namesOf(FORMATS);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...formats),
      fc.constantFrom(...STYLES),
      size,
      async (format, style, wanted) => {
        const { answer, asked } = await askOn(format, { ...BODY, ...style }, wanted);
        const what = `${format} ${JSON.stringify(style)} ${JSON.stringify(asked)}`;
        if (answer.status === 400)
          return assert.match(answer.json.details, /^\w+: gives \d+ (pixels|mm) a side; /, what);
        assert.equal(answer.status, 200, `${what}: ${answer.text}`);
        const { side, png } = await look(format, answer.bytes);
        assert.ok(Math.abs(side - wantedSide(format, asked, style)) < 0.02, `${what}: ${side}`);
        assert.equal(await decodePng(await onPaper(png)), BODY.data, what);
      },
    ),
    {
      numRuns: 40,

      // Shrinking a counterexample takes minutes.
      endOnFailure: true,
      examples: [
        ['webp', {}, { quiet_zone: 5.5983 }],
        ['png', { backgroundOptions: paper }, { quiet_zone: 0.1, width_mm: 20 }],
        ['pdf', {}, { quiet_zone: 5.5983, module_mm: 0.4 }],
        ['png', {}, { quiet_zone: 0.55, module_mm: 0.1, dpi: 2400 }],
        ['svg', {}, {}],
        ['webp', STYLES[3]!, { width_mm: 1, quiet_zone: 10.1 }],
      ],
    },
  );
});
