/** Programs that check files for print, from packages of Debian: Ghostscript, Poppler and qpdf. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

const run = promisify(execFile);

/** Three bytes a pixel, on white paper. */
export interface Print {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Returns the pixels of a picture file on white paper. */
export const printOf = async (picture: Uint8Array): Promise<Print> => {
  const { data, info } = await sharp(picture)
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: new Uint8Array(data) };
};

/** Writes files into a folder of their own, which is removed after their use. */
export async function withFiles<T>(
  files: readonly Uint8Array[],
  use: (paths: readonly string[], folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'print-'));
  try {
    const paths = files.map((_, i) => join(folder, `file${i}`));
    await Promise.all(paths.map((path, i) => writeFile(path, files[i]!)));
    return await use(paths, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const withFile = <T>(bytes: Uint8Array, use: (path: string, folder: string) => Promise<T>): Promise<T> =>
  withFiles([bytes], ([path], folder) => use(path!, folder));

/** How every run of Ghostscript begins. */
export const GS = ['-q', '-dBATCH', '-dNOPAUSE', '-dSAFER'];

/**
 * Renders one-page PDFs and EPS files with Ghostscript, with or (like printers) without anti-aliasing. Rendering many
 * files in one run saves the start of Ghostscript, which takes most of the time.
 */
export const ghostscripts = (
  files: readonly Uint8Array[],
  dpi: number,
  isSmooth = true,
): Promise<readonly Print[]> =>
  withFiles(files, async (paths, folder) => {
    const smooth = isSmooth ? ['-dGraphicsAlphaBits=4'] : [];
    const device = ['-dEPSCrop', '-sDEVICE=png16m', `-r${dpi}`, `-sOutputFile=${join(folder, 'out%d.png')}`];
    await run('gs', [...GS, ...smooth, ...device, ...paths]);
    return Promise.all(paths.map(async (_, i) => printOf(await readFile(join(folder, `out${i + 1}.png`)))));
  });

/** Renders a one-page PDF or an EPS with Ghostscript. */
export const ghostscript = async (file: Uint8Array, dpi: number, isSmooth?: boolean): Promise<Print> =>
  (await ghostscripts([file], dpi, isSmooth))[0]!;

/** Renders a PDF with Poppler. */
export const poppler = (pdf: Uint8Array, dpi: number): Promise<Print> =>
  withFile(pdf, async (path, folder) => {
    await run('pdftoppm', ['-png', '-r', String(dpi), '-singlefile', path, join(folder, 'out')]);
    return printOf(await readFile(join(folder, 'out.png')));
  });

/** A greyscale page: one byte per pixel, 0 is black, 255 is white. */
export interface GrayPage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly data: Uint8Array;
}

/** Returns a print in grey: its luma (ITU-R BT.601). */
export const grayOf = ({ width, height, rgb }: Print): GrayPage => ({
  widthPx: width,
  heightPx: height,
  data: Uint8Array.from({ length: width * height }, (_, i) =>
    Math.round(0.299 * rgb[3 * i]! + 0.587 * rgb[3 * i + 1]! + 0.114 * rgb[3 * i + 2]!),
  ),
});

const readPgm = (file: Buffer): GrayPage => {
  const [header, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 64))!;
  const data = new Uint8Array(file.subarray(header.length));
  return { data, widthPx: Number(width), heightPx: Number(height) };
};

/** Renders all pages of a PDF with Poppler. */
export const grayPages = (pdf: Uint8Array, dpi: number): Promise<readonly GrayPage[]> =>
  withFile(pdf, async (path, folder) => {
    await run('pdftoppm', ['-r', String(dpi), '-gray', path, join(folder, 'page')]);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.pgm')).sort();
    return Promise.all(names.map(async (name) => readPgm(await readFile(join(folder, name)))));
  });

/** Returns one PDF with the pages of all: programs start once for it. */
export const joinPdfs = (pdfs: readonly Uint8Array[]): Promise<Uint8Array> =>
  withFiles(pdfs, async (paths, folder) => {
    const joined = join(folder, 'joined.pdf');
    await run('qpdf', ['--empty', '--pages', ...paths, '--', joined]);
    return readFile(joined);
  });

/** Returns the text that can be copied from a PDF; each page ends with a form feed. */
export const textOf = (pdf: Uint8Array): Promise<string> =>
  withFile(pdf, async (path) => {
    const { stdout } = await run('pdftotext', ['-layout', path, '-'], { maxBuffer: 2 ** 26 });
    return stdout;
  });

/** Returns whether each font of a PDF is embedded, in order. */
export const areFontsEmbedded = (pdf: Uint8Array): Promise<readonly boolean[]> =>
  withFile(pdf, async (path) => {
    const { stdout } = await run('pdffonts', [path]);
    const lines = stdout.trimEnd().split('\n').slice(2);
    // The columns at the end are: embedded, subset, Unicode, and the two numbers of an object.
    return lines.map((line) => line.trim().split(/\s+/).at(-5) === 'yes');
  });

/** Returns the shares of each file's page that the inks cover: C, M, Y, K. */
export const inkCovers = (files: readonly Uint8Array[]): Promise<readonly (readonly number[])[]> =>
  withFiles(files, async (paths) => {
    const { stdout } = await run('gs', [...GS, '-dEPSCrop', '-sDEVICE=inkcov', '-o', '-', ...paths]);
    const lines = stdout.trim().split('\n');
    return lines.map((line) => line.trim().split(/\s+/).slice(0, 4).map(Number));
  });

/** Returns the shares of a file's page that the inks cover: C, M, Y, K. */
export const inkCover = async (file: Uint8Array): Promise<readonly number[]> => (await inkCovers([file]))[0]!;

/** Reads a plate of Ghostscript: an uncompressed TIFF of one channel (TIFF 6.0, sections 2 and 3). */
const readPlate = (file: Buffer): GrayPage => {
  const start = file.readUInt32LE(4);
  const fields = new Map<number, readonly number[]>();
  for (let at = start + 2; at < start + 2 + 12 * file.readUInt16LE(start); at += 12) {
    const [type, count] = [file.readUInt16LE(at + 2), file.readUInt32LE(at + 4)];
    const bytes = type === 3 ? 2 : 4;
    const from = count * bytes > 4 ? file.readUInt32LE(at + 8) : at + 8;
    if (type !== 3 && type !== 4) continue;
    const values = Array.from({ length: count }, (_, i) => file.readUIntLE(from + i * bytes, bytes));
    fields.set(file.readUInt16LE(at), values);
  }
  const [[widthPx], [heightPx], starts, counts] = [256, 257, 273, 279].map((tag) => fields.get(tag)!) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const strips = starts.map((from, i) => file.subarray(from, from + counts[i]!));
  return { widthPx: widthPx!, heightPx: heightPx!, data: new Uint8Array(Buffer.concat(strips)) };
};

/**
 * Separates the inks of a page with Ghostscript, as a press does. Returns a plate for each ink by its name, black where
 * it prints.
 */
export const separate = (file: Uint8Array, dpi: number): Promise<ReadonlyMap<string, GrayPage>> =>
  withFile(file, async (path, folder) => {
    const out = ['-sCompression=none', `-sOutputFile=${join(folder, 'out.tif')}`];
    await run('gs', [...GS, '-dEPSCrop', '-sDEVICE=tiffsep', `-r${dpi}`, ...out, path]);
    const plates = (await readdir(folder)).flatMap((name) => {
      const [, ink] = /^out\((.+)\)\.tif$/.exec(name) ?? [];
      return ink === undefined ? [] : [[ink, name] as const];
    });
    const read = plates.map(
      async ([ink, name]) => [ink, readPlate(await readFile(join(folder, name)))] as const,
    );
    return new Map(await Promise.all(read));
  });

/** Checks the structure of a PDF. @throws When qpdf finds a fault or has a warning. */
export const checkPdf = (pdf: Uint8Array): Promise<void> =>
  withFile(pdf, async (path) => {
    await run('qpdf', ['--check', path]);
  });

/** Returns the lines of `pdfimages -list` without its two headings: one for each bitmap. */
export const bitmapsIn = (pdf: Uint8Array): Promise<readonly string[]> =>
  withFile(pdf, async (path) => {
    const { stdout } = await run('pdfimages', ['-list', path]);
    return stdout.trimEnd().split('\n').slice(2);
  });
