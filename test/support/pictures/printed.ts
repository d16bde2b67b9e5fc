/** Files of codes as calls make them, and what programs show of them. */
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { fillFile, type LaidOut, layOutFile } from '../../../src/generate/file.ts';
import { type PrintQuery, toPrint } from '../../../src/generate/request/print.ts';
import type { ValueOf } from '../../../src/generate/request/words.ts';
import { ok, type Result } from '../../../src/result.ts';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Design, Fault, Logo, Rendered } from '../../../workers/protocol.ts';
import { render } from '../../../workers/render.ts';
import { type GrayPage, ghostscripts, grayOf, grayPages, joinPdfs, printOf } from './print.ts';

/** A file of a code, as a call asks for it. */
export interface AskedFile {
  readonly format: FileFormat;
  readonly query: PrintQuery;
  readonly text: string;
  readonly design: Design;
  readonly logo?: Logo | null;
  /** The values of the names in its caption. */
  readonly textOf?: ValueOf;
}

/** Draws a file, or says why it is refused. A WebP is still a PNG: see `webpOf`. */
export const drawPrinted = ({
  format,
  query,
  text,
  design,
  logo = null,
  textOf = () => undefined,
}: AskedFile): Result<Rendered & LaidOut, Fault> => {
  const print = toPrint(query);
  if (!print.ok) return print;
  const laid = layOutFile(text, design, fillFile({ format, print: print.value }, textOf));
  if (!laid.ok) return laid;
  const drawn = render({ text, logo, ...laid.value });
  return drawn.ok ? ok({ ...drawn.value, ...laid.value }) : drawn;
};

/** Returns a PNG as the service writes it as WebP. */
export const webpOf = (png: Uint8Array): Promise<Uint8Array> =>
  sharp(png).webp({ lossless: true, effort: 2 }).toBuffer();

const drawSvg = (svg: Uint8Array, dpi: number): Uint8Array =>
  new Resvg(new TextDecoder().decode(svg), { dpi }).render().asPng();

/** Returns what files of a format look like on white paper. @param dpi Of vector files. */
export const seenAt = async (
  format: FileFormat,
  files: readonly Uint8Array[],
  dpi: number,
): Promise<readonly GrayPage[]> => {
  if (files.length === 0) return [];
  if (format === 'pdf') return grayPages(await joinPdfs(files), dpi);
  if (format === 'eps') return (await ghostscripts(files, dpi)).map(grayOf);
  const seen: GrayPage[] = [];
  for (const file of files) seen.push(grayOf(await printOf(format === 'svg' ? drawSvg(file, dpi) : file)));
  return seen;
};
