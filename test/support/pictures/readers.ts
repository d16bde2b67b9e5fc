/** Three independent readers of sharp pictures on white paper. */
import { createRequire } from 'node:module';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { openZBar } from '../../../src/reading/decoders.ts';
import { lumaOf } from '../../../src/reading/png.ts';
import { readGray, readPixels } from './decode.ts';
import type { GrayPage } from './print.ts';

/** The text that each reader found; `null` when it found none. */
export interface Sight {
  readonly zxing: string | null;
  readonly jsqr: string | null;
  readonly zbar: string | null;
}

const zbar = openZBar(createRequire(import.meta.url).resolve('@undecaf/zbar-wasm/dist/zbar.wasm'));

const read = async (png: Uint8Array): Promise<Sight> => {
  const page = sharp(png).flatten({ background: '#fff' });
  const { data, info } = await page.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const pixels = { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as const;
  const grey = new Uint8Array(width * height);
  for (let i = 0; i < grey.length; i += 1) grey[i] = lumaOf(data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!);
  return {
    zxing: (await readPixels(pixels)) ?? null,
    // The slowest reader is used only on request.
    get jsqr() {
      return jsQR.default(pixels.data, width, height)?.data ?? null;
    },
    zbar: await (await zbar)({ widthPx: width, heightPx: height, data: grey }),
  };
};

/** Reads a page of a byte a pixel with the readers that the service has. */
export const readGrayTwice = async (page: GrayPage): Promise<Pick<Sight, 'zxing' | 'zbar'>> => ({
  zxing: (await readGray(page)) ?? null,
  zbar: await (await zbar)(page),
});

/** Reads pictures with all three readers, in order. */
export const readSharp = async (pngs: readonly Uint8Array[]): Promise<readonly Sight[]> => {
  const sights: Sight[] = [];
  for (const png of pngs) sights.push(await read(png));
  return sights;
};
