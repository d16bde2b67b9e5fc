/** Prints of devices that have only black dots, such as label printers and fax machines, as Ghostscript makes them. */
import { execFile, execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { type GrayPage, GS, withFiles } from './print.ts';

/** A page from bits, 1 for a black dot unless `isWhite`, in rows of whole bytes. */
const pageOf = (
  bits: Uint8Array,
  { widthPx, heightPx, bytesPerRow, isWhite = false, isUpsideDown = false }: OneBitShape,
): GrayPage => {
  const data = new Uint8Array(widthPx * heightPx);
  for (let y = 0; y < heightPx; y += 1) {
    const from = (isUpsideDown ? heightPx - 1 - y : y) * bytesPerRow;
    for (let x = 0; x < widthPx; x += 1) {
      const isSet = (bits[from + (x >> 3)]! & (0x80 >> (x & 7))) !== 0;
      data[y * widthPx + x] = isSet === isWhite ? 255 : 0;
    }
  }
  return { data, widthPx, heightPx };
};

interface OneBitShape {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bytesPerRow: number;
  readonly isWhite?: boolean;
  readonly isUpsideDown?: boolean;
}

/** Reads a bitmap of Windows with one bit a pixel. Its first colour is white or black. */
const readBmp = (file: Buffer): GrayPage => {
  const [widthPx, heightPx] = [file.readInt32LE(18), file.readInt32LE(22)];
  const bytesPerRow = Math.ceil(widthPx / 32) * 4;
  const isWhite = file[14 + file.readUInt32LE(14)] === 0;
  const shape = { widthPx, heightPx, bytesPerRow, isWhite, isUpsideDown: true };
  return pageOf(file.subarray(file.readUInt32LE(10)), shape);
};

/** The sync word of CUPS raster, version 3, and the bytes of the header of each page. */
const CUPS = { sync: '3SaR', headerBytes: 1796 };

/** Reads the pages of CUPS raster with one bit of black a pixel. */
const readCups = (file: Buffer): readonly GrayPage[] => {
  if (file.toString('latin1', 0, CUPS.sync.length) !== CUPS.sync) throw new Error('no CUPS raster');
  const pages: GrayPage[] = [];
  for (let at = CUPS.sync.length; at < file.length; ) {
    const field = (offset: number): number => file.readUInt32LE(at + offset);
    const [widthPx, heightPx, bytesPerRow] = [field(372), field(376), field(392)];
    if (field(388) !== 1) throw new Error('another raster than one of bits');
    at += CUPS.headerBytes;
    pages.push(pageOf(file.subarray(at), { widthPx, heightPx, bytesPerRow }));
    at += bytesPerRow * heightPx;
  }
  return pages;
};

/** Reads a PNG or TIFF. @throws When it has more than black and white. */
const readPicture = async (file: Buffer): Promise<GrayPage> => {
  const { data, info } = await sharp(file)
    .toColourspace('b-w')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (data.some((value) => value !== 0 && value !== 255)) throw new Error('another picture than one of bits');
  return { data: new Uint8Array(data), widthPx: info.width, heightPx: info.height };
};

/** How a page of each device is read; the pages of CUPS are in one file. */
const READERS = { pngmono: readPicture, tiffg4: readPicture, bmpmono: readBmp, cups: null } as const;
/** A device of Ghostscript with only black dots. */
export type OneBitDevice = keyof typeof READERS;

/** Returns the devices that this Ghostscript has. */
export const oneBitDevices = (): readonly OneBitDevice[] => {
  const known = execFileSync('gs', ['-h'], { encoding: 'latin1' }).split(/\s+/);
  return (Object.keys(READERS) as OneBitDevice[]).filter((device) => known.includes(device));
};

/** Prints one-page PDFs and EPS files on a device, in one run. */
export const printDots = (
  files: readonly Uint8Array[],
  device: OneBitDevice,
  dpi: number,
): Promise<readonly GrayPage[]> =>
  withFiles(files, async (paths, folder) => {
    const read = READERS[device];
    const out = join(folder, read === null ? 'out' : 'out%d');
    const options = ['-dEPSCrop', `-sDEVICE=${device}`, `-r${dpi}`, `-sOutputFile=${out}`];
    await promisify(execFile)('gs', [...GS, ...options, ...paths]);
    if (read === null) return readCups(await readFile(out));
    return Promise.all(paths.map(async (_, i) => read(await readFile(join(folder, `out${i + 1}`)))));
  });
