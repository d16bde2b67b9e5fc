/** Draws barcodes in the test's own thread, and reads them. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { renderBarcode } from '../../../workers/barcode/draw.ts';
import type { BarcodeTask } from '../../../workers/barcode/protocol.ts';
import type { Fault, Rendered } from '../../../workers/protocol.ts';
import { ghostscript, type Print, printOf } from '../../support/pictures/print.ts';

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
const wasmBinary = new Uint8Array(await readFile(wasm)).buffer;
await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });

/** The formats that a thread draws. */
export const DRAWN = ['png', 'svg', 'pdf', 'eps'] as const;

/** Draws a barcode. @throws {Error} When it is refused. */
export const drawnOf = (task: BarcodeTask): Required<Pick<Rendered, 'bytes' | 'sizeMm'>> => {
  const drawn = renderBarcode(task);
  if (!drawn.ok) throw new Error(`${drawn.fault.field}: ${drawn.fault.message}`);
  return { bytes: drawn.value.bytes, sizeMm: drawn.value.sizeMm! };
};

/** Returns why a barcode is refused. @throws {Error} When it is drawn. */
export const refusalOf = (task: BarcodeTask): Fault => {
  const drawn = renderBarcode(task);
  if (drawn.ok) throw new Error('it is drawn');
  return drawn.fault;
};

/** Returns the pixels of a file: vectors at 600 dots per inch. */
export const pixelsOf = async (bytes: Uint8Array, format: BarcodeTask['format']): Promise<Print> => {
  if (format === 'png') return printOf(bytes);
  if (format !== 'svg') return ghostscript(bytes, 600);
  return printOf(
    new Resvg(new TextDecoder().decode(bytes), { dpi: 600, font: { loadSystemFonts: false } })
      .render()
      .asPng(),
  );
};

/** Returns what a scanner sends: the text, and before it the identifier of the symbology (ISO/IEC 15424). */
export const readBarcode = async ({ width, height, rgb }: Print): Promise<string | undefined> => {
  const raw = { width, height, channels: 3 } as const;
  // What stands around a picture on paper.
  const rim = { top: 40, bottom: 40, left: 0, right: 0, background: '#fff' };
  const data = await sharp(rgb, { raw }).extend(rim).ensureAlpha().raw().toBuffer();
  const page = { data: new Uint8ClampedArray(data), width, height: height + 80, colorSpace: 'srgb' } as const;
  const [found] = await readBarcodes(page, {
    formats: ['EAN13', 'UPCA', 'DataMatrix', 'QRCode'],
    maxNumberOfSymbols: 1,
    textMode: 'Plain',
    tryHarder: true,
  });
  return found && `${found.symbologyIdentifier}${found.text}`;
};

/** Returns the lengths of the runs of equal pixels in a row, the first of them white. */
export const runsOf = ({ width, rgb }: Print, row: number): readonly number[] => {
  const runs = [0];
  for (let x = 0, isDark = false; x < width; x += 1) {
    const now = rgb[(row * width + x) * 3]! < 128;
    if (now !== isDark) runs.push(0);
    isDark = now;
    runs[runs.length - 1]! += 1;
  }
  return runs;
};

/** Returns width and height in millimetres as the file itself says. */
export const sizeOfFile = async (
  bytes: Uint8Array,
  format: BarcodeTask['format'],
): Promise<readonly [number, number]> => {
  const text = new TextDecoder('latin1').decode(bytes);
  const numbers = (pattern: RegExp, mm: number) =>
    pattern
      .exec(text)!
      .slice(1)
      .map((value) => Number(value) * mm) as unknown as readonly [number, number];
  if (format === 'svg') return numbers(/width="([\d.]+)mm" height="([\d.]+)mm"/, 1);
  if (format === 'pdf') return numbers(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/, 25.4 / 72);
  if (format === 'eps') return numbers(/%%HiResBoundingBox: 0 0 ([\d.]+) ([\d.]+)/, 25.4 / 72);
  const { width, height, density } = await sharp(bytes).metadata();
  return [(width! * 25.4) / density!, (height! * 25.4) / density!];
};
