/** What happens to a picture between the printer and a reader. */
import sharp, { type Sharp } from 'sharp';
import { createRandom } from '../../bench/stats.ts';

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
export const onPaper = async (png: Uint8Array): Promise<Grey> => {
  const rim = { top: RIM_PX, bottom: RIM_PX, left: RIM_PX, right: RIM_PX, background: '#fff' };
  const flat = sharp(png).flatten({ background: '#fff' }).extend(rim).removeAlpha().toColourspace('srgb');
  const { data, info } = await flat.raw().toBuffer({ resolveWithObject: true });
  const pixels = new Uint8Array(info.width * info.height);
  for (let i = 0; i < pixels.length; i += 1) {
    const at = i * info.channels;
    pixels[i] = Math.round(0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!);
  }
  return { widthPx: info.width, heightPx: info.height, pixels };
};

const raw = ({ widthPx, heightPx, pixels }: Grey) =>
  sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 1 } });

const greyOf = async (image: Sharp): Promise<Grey> => {
  const grey = image.toColourspace('b-w').extractChannel(0).raw();
  const { data, info } = await grey.toBuffer({ resolveWithObject: true });
  return { widthPx: info.width, heightPx: info.height, pixels: new Uint8Array(data) };
};

const blurred = (picture: Grey, sigmaPx: number): Promise<Grey> =>
  greyOf(raw(picture).blur(Math.max(0.3, sigmaPx)));

const scaled = (picture: Grey, scale: number): Promise<Grey> =>
  greyOf(raw(picture).resize(Math.max(32, Math.round(picture.widthPx * scale)), null, { kernel: 'cubic' }));

const jpeg = async (picture: Grey): Promise<Grey> =>
  greyOf(sharp(await raw(picture).jpeg({ quality: 30 }).toBuffer()));

/** Adds normally distributed noise (Irwin and Hall: the sum of twelve uniform values). */
const noisy = (picture: Grey, sigma: number): Grey => {
  const random = createRandom(1);
  const pixels = new Uint8ClampedArray(picture.pixels.length);
  for (const [i, light] of picture.pixels.entries()) {
    let sum = -6;
    for (let n = 0; n < 12; n += 1) sum += random();
    pixels[i] = light + sum * sigma;
  }
  return { ...picture, pixels: new Uint8Array(pixels.buffer) };
};

/** Light from one corner, falling to a third in the opposite corner. */
const unevenlyLit = (picture: Grey): Grey => {
  const { widthPx, heightPx } = picture;
  const pixels = picture.pixels.map((light, i) => {
    const share = ((i % widthPx) / widthPx + Math.floor(i / widthPx) / heightPx) / 2;
    return light * (1 - 0.67 * share);
  });
  return { ...picture, pixels };
};

/** Lets ink (`Math.min`) or paper (`Math.max`) spread by a fraction of a pixel at every edge. */
const grown = (picture: Grey, byPx: number, choose: typeof Math.min): Grey => {
  const { widthPx } = picture;
  let { pixels } = picture;
  for (let left = byPx; left > 0; left -= 1) {
    const before = pixels;
    pixels = before.map((light, i) => {
      const x = i % widthPx;
      let chosen = light;
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1)
          if (x + dx >= 0 && x + dx < widthPx)
            chosen = choose(chosen, before[i + dy * widthPx + dx] ?? light);
      return light + (chosen - light) * Math.min(1, left);
    });
  }
  return { ...picture, pixels };
};

/** Samples bilinearly; the picture is surrounded by paper. @param source The place in the picture of each pixel. */
const warped = (
  { widthPx, heightPx, pixels }: Grey,
  [width, height]: readonly [width: number, height: number],
  source: (x: number, y: number) => readonly [number, number],
): Grey => {
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
};

const turned = (picture: Grey, degrees: number): Grey => {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const { widthPx, heightPx } = picture;
  const width = Math.ceil(widthPx * Math.abs(cos) + heightPx * Math.abs(sin));
  const height = Math.ceil(widthPx * Math.abs(sin) + heightPx * Math.abs(cos));
  return warped(picture, [width, height], (x, y) => {
    const [dx, dy] = [x - width / 2, y - height / 2];
    return [widthPx / 2 + cos * dx + sin * dy, heightPx / 2 - sin * dx + cos * dy];
  });
};

/** A perspective from below: the upper edge is farther away and shorter. */
const tilted = (picture: Grey, amount: number): Grey => {
  const { widthPx, heightPx } = picture;
  return warped(picture, [widthPx, heightPx], (x, y) => {
    const depth = 1 + amount * (1 - y / heightPx);
    return [widthPx / 2 + (x - widthPx / 2) * depth, heightPx - (heightPx - y) * depth];
  });
};

const seenByPhone: Condition['distort'] = async (picture, modulePx) =>
  noisy(unevenlyLit(await blurred(await scaled(turned(picture, 7), 4 / modulePx), 0.9)), 8);

/** In the order in which they are printed. The first one changes nothing. */
export const CONDITIONS: readonly Condition[] = Object.entries<Condition['distort']>({
  sharp: (picture) => picture,
  // From half a module on, phones that are out of focus begin to fail.
  'blur 1/8 module': (picture, modulePx) => blurred(picture, modulePx / 8),
  'blur 2/8 module': (picture, modulePx) => blurred(picture, (2 * modulePx) / 8),
  'blur 3/8 module': (picture, modulePx) => blurred(picture, (3 * modulePx) / 8),
  'blur 4/8 module': (picture, modulePx) => blurred(picture, (4 * modulePx) / 8),
  'turned 15': (picture) => turned(picture, 15),
  'turned 45': (picture) => turned(picture, 45),
  tilted: (picture) => tilted(picture, 0.35),
  '2 px a module': (picture, modulePx) => scaled(picture, 2 / modulePx),
  '2.5 px a module': (picture, modulePx) => scaled(picture, 2.5 / modulePx),
  '3 px a module': (picture, modulePx) => scaled(picture, 3 / modulePx),
  'JPEG 30': jpeg,
  // Larger modules get more of it.
  noise: noisy,
  'uneven light': unevenlyLit,
  'dot gain': (picture, modulePx) => grown(picture, 0.1 * modulePx, Math.min),
  'dot loss': (picture, modulePx) => grown(picture, 0.1 * modulePx, Math.max),
  phone: seenByPhone,
}).map(([name, distort]) => ({ name, distort }));
