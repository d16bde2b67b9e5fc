/** Codes of every kind for print, and how to read their prints. */
import sharp from 'sharp';
import { toDesign } from '../../src/generate/request/design.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import { type Inks, isFault, type Logo, type RenderTask } from '../../workers/protocol.ts';
import { render } from '../../workers/render.ts';
import { readPixels } from '../support/pictures/decode.ts';
import type { Print } from '../support/pictures/print.ts';

export const TEXT = 'https://example.com/print';
const MODULE_MM = 0.42;
const RGB: Inks = { color: 'rgb', paper: '#ffffff' };
type Options = Parameters<typeof toDesign>[0];
export type Format = RenderTask['format'];

const stops = (...colors: readonly string[]) =>
  colors.map((color, i) => ({ offset: i / (colors.length - 1), color }));

const logoPng = await sharp({ create: { width: 90, height: 60, channels: 4, background: '#c00000c0' } })
  .png()
  .toBuffer();
const BITMAP: Logo = { png: new Uint8Array(logoPng), widthPx: 90, heightPx: 60 };
const VECTOR: Logo = {
  ...BITMAP,
  vector: {
    width: 1024,
    height: 683,
    figures: [
      { path: 'M0 0L1024 0L1024 683L0 683z', color: '#c00000', rule: 'nonzero' },
      {
        path: 'M100 300C300 100 700 100 900 300',
        color: '#ffffff',
        rule: 'nonzero',
        stroke: { width: 60, cap: 'round', join: 'miter', miterLimit: 4 },
      },
    ],
  },
};

export const file = (
  format: Format,
  options: Options,
  { logo = null as Logo | null, inks = RGB, bleedMm = 0, text = TEXT, moduleMm = MODULE_MM } = {},
): Uint8Array => {
  const laid = layOutPrint(text, toDesign(options), { moduleMm, bleedMm }, 'vector');
  if (isFault(laid)) throw new Error(laid.message);
  const drawn = render({ text, design: laid.design, logo, format, print: { page: laid.page, inks } });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  return drawn.value.bytes;
};

export const textIn = ({ width, height, rgb }: Print): Promise<string | undefined> => {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    data[to] = rgb[from]!;
    data[to + 1] = rgb[from + 1]!;
    data[to + 2] = rgb[from + 2]!;
  }
  return readPixels({ data, width, height, colorSpace: 'srgb' });
};

export const DESIGNS: Readonly<Record<string, { readonly options: Options; readonly logo?: Logo }>> = {
  plain: { options: {} },
  styled: {
    options: {
      dotsOptions: { type: 'classy-rounded', color: '#123a7c' },
      cornersSquareOptions: { type: 'extra-rounded' },
      backgroundOptions: { color: '#fff7e0' },
    },
  },
  gradient: {
    options: {
      dotsOptions: { gradient: { type: 'linear', rotation: 0.6, colorStops: stops('#7a0000', '#00007a') } },
      cornersSquareOptions: { gradient: { type: 'radial', colorStops: stops('#000000', '#004000') } },
    },
  },
  translucent: {
    options: {
      backgroundOptions: { color: '#ffee0040' },
      dotsOptions: { gradient: { colorStops: stops('#600000', '#000060d0') } },
    },
  },
  circle: { options: { shape: 'circle' } },
  bitmap: { options: { qrOptions: { errorCorrectionLevel: 'H' } }, logo: BITMAP },
  vector: { options: { qrOptions: { errorCorrectionLevel: 'H' } }, logo: VECTOR },
};
