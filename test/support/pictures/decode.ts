import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { GrayPage } from './print.ts';

const wasmPath = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
// The WebAssembly is passed as bytes, because otherwise the reader would fetch it from the network.
const wasmBinary = new Uint8Array(await readFile(wasmPath)).buffer;
await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });

/** Returns a picture on a white page, sharp or out of focus as in a hand-held camera. */
async function look(png: Uint8Array, blurPx: number) {
  let page = sharp(png).flatten({ background: '#fff' });
  if (blurPx > 0) {
    const rim = Math.ceil(16 * blurPx);
    const border = { top: rim, bottom: rim, left: rim, right: rim, background: '#fff' };
    // sharp reorders operations, and the border must be added before the blur.
    page = sharp(await page.extend(border).png({ compressionLevel: 0 }).toBuffer()).blur(blurPx);
  }
  const { data, info } = await page.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { data: new Uint8ClampedArray(data), width, height, colorSpace: 'srgb' } as const;
}

/** Pixels of a picture, four bytes each. */
interface Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'srgb';
}

/** Returns the text that ZXing reads in a picture, `undefined` when it finds no code. */
export async function readPixels(pixels: Pixels): Promise<string | undefined> {
  const [found] = await readBarcodes(pixels, {
    formats: ['QRCode'],
    tryHarder: true,
    maxNumberOfSymbols: 1,
    // Otherwise the reader replaces control characters with their names.
    textMode: 'Plain',
  });
  return found?.text;
}

/** Returns the text that ZXing reads in a picture of a byte a pixel, `undefined` when it finds no code. */
export function readGray({ data, widthPx, heightPx }: GrayPage): Promise<string | undefined> {
  const rgba = new Uint32Array(data.length);
  for (let i = 0; i < data.length; i += 1) rgba[i] = 0xff000000 + data[i]! * 0x10101;
  const pixels = new Uint8ClampedArray(rgba.buffer);
  return readPixels({ data: pixels, width: widthPx, height: heightPx, colorSpace: 'srgb' });
}

/**
 * Returns the text of the QR code in a PNG, or `null`. Tries two independent readers in turn: ZXing, then jsQR. They
 * recognise discs that hardly touch only out of focus, so blurred pictures follow the sharp one.
 */
export async function decodePng(png: Uint8Array): Promise<string | null> {
  for (const blurPx of [0, 1.5, 3, 6]) {
    const sight = await look(png, blurPx);
    const text = (await readPixels(sight)) || jsQR.default(sight.data, sight.width, sight.height)?.data;
    if (text) return text;
  }
  return null;
}
