/** Judges of files for print, from packages of Debian: Ghostscript, Poppler and qpdf. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';

const run = promisify(execFile);

/** Whether a program is on this machine. */
export const runs = (program: string): boolean =>
  spawnSync(program, [program === 'pdftoppm' ? '-v' : '--version'], { stdio: 'ignore' }).error === undefined;

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

async function withFile<T>(bytes: Uint8Array, use: (path: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'print-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, bytes);
    return await use(path, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const GS = ['-q', '-dBATCH', '-dNOPAUSE', '-dSAFER'];

/** Renders a PDF or an EPS with Ghostscript, with smooth edges or, as printers do, without. */
export const ghostscript = (file: Uint8Array, dpi: number, isSmooth = true): Promise<Print> =>
  withFile(file, async (path, folder) => {
    const out = join(folder, 'out.png');
    const smooth = isSmooth ? ['-dGraphicsAlphaBits=4'] : [];
    await run('gs', [
      ...GS,
      ...smooth,
      '-dEPSCrop',
      '-sDEVICE=png16m',
      `-r${dpi}`,
      `-sOutputFile=${out}`,
      path,
    ]);
    return printOf(await readFile(out));
  });

/** Renders a PDF with Poppler. */
export const poppler = (pdf: Uint8Array, dpi: number): Promise<Print> =>
  withFile(pdf, async (path, folder) => {
    await run('pdftoppm', ['-png', '-r', String(dpi), '-singlefile', path, join(folder, 'out')]);
    return printOf(await readFile(join(folder, 'out.png')));
  });

/** Returns the shares of a page that the inks cover: C, M, Y, K. */
export const inkCover = (file: Uint8Array): Promise<readonly number[]> =>
  withFile(file, async (path) => {
    const { stdout } = await run('gs', [...GS, '-dEPSCrop', '-sDEVICE=inkcov', '-o', '-', path]);
    return stdout.trim().split(/\s+/).slice(0, 4).map(Number);
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
