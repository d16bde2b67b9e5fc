/** What happens to a picture between the printer and a reader. */
import sharp, { type Sharp } from 'sharp';
import { createRandom } from '../random.ts';

/** A greyscale picture: one byte per pixel, row-major. */
export interface Grey {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixels: Uint8Array;
}

/** A distortion of a picture whose modules have `modulePx` pixels. */
export interface Condition {
  readonly name: string;
  distort(picture: Grey, modulePx: number): Grey | Promise<Grey>;
}

const PAPER = 255;
/** White paper around a picture. */
const RIM_PX = 24;

/** Returns a PNG as a camera sees it on white paper. */
export async function onPaper(png: Uint8Array): Promise<Grey> {
  const rim = { top: RIM_PX, bottom: RIM_PX, left: RIM_PX, right: RIM_PX, background: '#fff' };
  const { data, info } = await sharp(png)
    .flatten({ background: '#fff' })
    .extend(rim)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8Array(info.width * info.height);
  for (let i = 0; i < pixels.length; i += 1) {
    const at = i * info.channels;
    pixels[i] = Math.round(0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!);
  }
  return { widthPx: info.width, heightPx: info.height, pixels };
}

/** In the order in which they are printed. The first one changes nothing. */
export const CONDITIONS: readonly Condition[] = [
  { name: 'sharp', distort: (picture) => picture },
  // From half a module on, phones that are out of focus begin to fail.
  ...[1, 2, 3, 4].map((eighths) => ({
    name: `blur ${eighths}/8 module`,
    distort: (picture: Grey, modulePx: number) => blurred(picture, (eighths * modulePx) / 8),
  })),
  { name: 'turned 15', distort: (picture) => turned(picture, 15) },
  { name: 'turned 45', distort: (picture) => turned(picture, 45) },
  { name: 'tilted', distort: (picture) => tilted(picture, 0.35) },
  ...[2, 2.5, 3].map((px) => ({
    name: `${px} px a module`,
    distort: (picture: Grey, modulePx: number) => scaled(picture, px / modulePx),
  })),
  { name: 'JPEG 30', distort: jpeg },
  { name: 'noise', distort: noisy },
  { name: 'uneven light', distort: unevenlyLit },
  { name: 'dot gain', distort: (picture, modulePx) => grown(picture, 0.1 * modulePx, Math.min) },
  { name: 'dot loss', distort: (picture, modulePx) => grown(picture, 0.1 * modulePx, Math.max) },
  {
    name: 'phone',
    distort: async (picture, modulePx) =>
      noisy(unevenlyLit(await blurred(await scaled(turned(picture, 7), 4 / modulePx), 0.9)), 8),
  },
];

const raw = ({ widthPx, heightPx, pixels }: Grey) =>
  sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 1 } });

async function greyOf(image: Sharp): Promise<Grey> {
  const { data, info } = await image
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, pixels: new Uint8Array(data) };
}

const blurred = (picture: Grey, sigmaPx: number): Promise<Grey> =>
  greyOf(raw(picture).blur(Math.max(0.3, sigmaPx)));

const scaled = (picture: Grey, scale: number): Promise<Grey> =>
  greyOf(raw(picture).resize(Math.max(32, Math.round(picture.widthPx * scale)), null, { kernel: 'cubic' }));

async function jpeg(picture: Grey): Promise<Grey> {
  return greyOf(sharp(await raw(picture).jpeg({ quality: 30 }).toBuffer()));
}

/** Adds normally distributed noise (Irwin and Hall: the sum of twelve uniform values). */
function noisy({ pixels, ...size }: Grey, sigma = 24): Grey {
  const random = createRandom(1);
  const noise = (): number => {
    let sum = -6;
    for (let i = 0; i < 12; i += 1) sum += random();
    return sum * sigma;
  };
  return {
    ...size,
    pixels: Uint8ClampedArray.from(pixels, (light) => light + noise()) as unknown as Uint8Array,
  };
}

/** Light from one corner, falling to a third in the opposite corner. */
function unevenlyLit({ widthPx, heightPx, pixels }: Grey): Grey {
  const lit = pixels.map((light, i) => {
    const share = ((i % widthPx) / widthPx + Math.floor(i / widthPx) / heightPx) / 2;
    return light * (1 - 0.67 * share);
  });
  return { widthPx, heightPx, pixels: lit };
}

/** Lets ink (`Math.min`) or paper (`Math.max`) spread by a fraction of a pixel at every edge. */
function grown({ widthPx, heightPx, pixels }: Grey, byPx: number, pick: typeof Math.min): Grey {
  let source = pixels;
  for (let left = byPx; left > 0; left -= 1) {
    const share = Math.min(1, left);
    const before = source;
    source = before.map((light, i) => {
      const x = i % widthPx;
      let grownLight = light;
      for (let dy = -1; dy <= 1; dy += 1) {
        for (let dx = -1; dx <= 1; dx += 1) {
          if (x + dx < 0 || x + dx >= widthPx) continue;
          grownLight = pick(grownLight, before[i + dy * widthPx + dx] ?? light);
        }
      }
      return light + (grownLight - light) * share;
    });
  }
  return { widthPx, heightPx, pixels: source };
}

function turned(picture: Grey, degrees: number): Grey {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const { widthPx, heightPx } = picture;
  const [width, height] = [
    Math.ceil(widthPx * Math.abs(cos) + heightPx * Math.abs(sin)),
    Math.ceil(widthPx * Math.abs(sin) + heightPx * Math.abs(cos)),
  ];
  return warped(picture, width, height, (x, y) => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    return [widthPx / 2 + cos * dx + sin * dy, heightPx / 2 - sin * dx + cos * dy];
  });
}

/** A perspective from below: the upper edge is farther away and shorter. */
function tilted(picture: Grey, amount: number): Grey {
  const { widthPx, heightPx } = picture;
  return warped(picture, widthPx, heightPx, (x, y) => {
    const depth = 1 + amount * (1 - y / heightPx);
    return [widthPx / 2 + (x - widthPx / 2) * depth, heightPx - (heightPx - y) * depth];
  });
}

/** Samples bilinearly; the picture is surrounded by paper. */
function warped(
  { widthPx, heightPx, pixels }: Grey,
  width: number,
  height: number,
  source: (x: number, y: number) => readonly [number, number],
): Grey {
  const lightAt = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= widthPx || y >= heightPx ? PAPER : pixels[y * widthPx + x]!;
  const result = new Uint8Array(width * height);
  for (let i = 0; i < result.length; i += 1) {
    const [sourceX, sourceY] = source((i % width) + 0.5, Math.floor(i / width) + 0.5);
    const [x, y] = [Math.floor(sourceX - 0.5), Math.floor(sourceY - 0.5)];
    const [right, below] = [sourceX - 0.5 - x, sourceY - 0.5 - y];
    const above = lightAt(x, y) * (1 - right) + lightAt(x + 1, y) * right;
    const under = lightAt(x, y + 1) * (1 - right) + lightAt(x + 1, y + 1) * right;
    result[i] = Math.round(above * (1 - below) + under * below);
  }
  return { widthPx: width, heightPx: height, pixels: result };
}
