/** Independent judges of sheets: Poppler, Ghostscript and qpdf, from the PATH. `print.ts` says whether they are there. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestScope } from './server-process.ts';

const run = promisify(execFile);

const PDFTOPPM = 'pdftoppm';
const PDFTOTEXT = 'pdftotext';
const QPDF = 'qpdf';
const GHOSTSCRIPT = 'gs';

/** A page as it is printed without colours: 0 is black, 255 is white. */
export interface Print {
  readonly data: Uint8Array;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** A PDF on the disk until the test ends. */
export interface PdfFile {
  /** Renders its pages. */
  print(dpi: number, pages?: { readonly from: number; readonly to: number }): Promise<readonly Print[]>;
  /** The text that can be copied out of it. */
  text(): Promise<string>;
  /** The faults that qpdf finds; '' when there are none. */
  faults(): Promise<string>;
  /** The shares of C, M, Y and K on each page. */
  inks(): Promise<readonly (readonly number[])[]>;
}

const readPgm = (file: Buffer): Print => {
  const [header, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 64))!;
  const data = new Uint8Array(file.subarray(header.length));
  return { data, widthPx: Number(width), heightPx: Number(height) };
};

/** Writes a PDF to the disk for the judges. */
export const openPdf = async (scope: TestScope, bytes: Uint8Array): Promise<PdfFile> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-pdf-'));
  scope.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'file.pdf');
  await writeFile(path, bytes);
  return {
    async print(dpi, { from, to } = { from: 1, to: 1000 }) {
      const pages = ['-f', String(from), '-l', String(to)];
      await run(PDFTOPPM, ['-r', String(dpi), '-gray', ...pages, path, join(folder, 'page')]);
      const names = (await readdir(folder)).filter((name) => name.endsWith('.pgm')).sort();
      const prints = await Promise.all(names.map((name) => readFile(join(folder, name))));
      await Promise.all(names.map((name) => rm(join(folder, name))));
      return prints.map(readPgm);
    },
    text: async () => (await run(PDFTOTEXT, ['-layout', path, '-'], { maxBuffer: 2 ** 26 })).stdout,
    async faults() {
      const checked = await run(QPDF, ['--check', path]).catch((error) => error);
      return checked.code === undefined ? '' : `${checked.stdout}${checked.stderr}`;
    },
    async inks() {
      const args = ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=inkcov', '-sOutputFile=-', path];
      const { stdout } = await run(GHOSTSCRIPT, args);
      return [...stdout.matchAll(/^\s*([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+) CMYK/gm)].map((line) =>
        line.slice(1).map(Number),
      );
    },
  };
};
