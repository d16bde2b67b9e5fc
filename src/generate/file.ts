/** The file of one picture, and its design as it is drawn: in pixels, or laid out in millimetres. */
import type { FileFormat } from '../../workers/lists.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import {
  type Design,
  type Fault,
  isFault,
  type PrintOptions,
  type RenderTask,
} from '../../workers/protocol.ts';
import { ok, type Result, refused } from '../result.ts';
import type { Subject } from './plan.ts';
import { readGs1 } from './request/gs1.ts';
import { dielineFault, formatFault, inkFault } from './request/inks.ts';
import type { Print } from './request/print.ts';
import { fillWords, toCaptionSpec, type ValueOf } from './request/words.ts';

/** The file that a call asks for. */
export interface FileSpec {
  readonly format: FileFormat;
  /** `null`: in pixels, with the colours of screens. */
  readonly print: Print | null;
}

/** A PNG in pixels. */
export const PNG_FILE: FileSpec = { format: 'png', print: null };

/** Returns a file with the names that have values written out in its caption. */
export const fillFile = (file: FileSpec, textOf: ValueOf): FileSpec =>
  file.print === null ? file : { ...file, print: fillWords(file.print, textOf) };

/** The format that a render thread draws. */
export const drawnFormat = (format: FileFormat): RenderTask['format'] => (format === 'webp' ? 'png' : format);

/** A design as it is drawn, in which format, and what else changes its bytes. */
export interface LaidOut {
  readonly design: Design;
  readonly format: RenderTask['format'];
  readonly print?: PrintOptions;
}

/**
 * Returns the design of a file: as it is, or laid out for its size in millimetres. Faults are those of `layOutPrint`, and
 * those of the GS1 data that tills read or that is printed below, and those of the inks. Names in the caption that
 * `fillFile` has left have no value.
 */
export const layOutFile = (
  text: string,
  design: Design,
  { format: written, print }: FileSpec,
): Result<LaidOut, Fault> => {
  const format = drawnFormat(written);
  if (print === null) return ok({ design, format });
  const { size, inks } = print;
  const unprinted = formatFault(inks, written) ?? inkFault(inks, design, print);
  if (unprinted !== null) return refused(unprinted);
  const hasText = print.text !== undefined;
  const isBitmap = format === 'png';
  // The bytes of a bitmap in pixels do not depend on inks.
  if (size === null)
    return ok(isBitmap ? { design, format } : { design, format, print: { page: null, inks } });
  const readable = hasText || size.till ? readGs1(text, design.symbol, size.till) : ok([]);
  if (!readable.ok) return readable;
  const { caption, frame } = print;
  const laid = layOutPrint(text, design, size, isBitmap ? 'bitmap' : 'vector', {
    parts: hasText ? readable.value : [],
    ...(caption && { caption: toCaptionSpec(caption) }),
    ...(frame && { frame }),
  });
  if (isFault(laid)) return refused(laid);
  const { page, around } = laid;
  const uncut = dielineFault(inks, page);
  if (uncut !== null) return refused(uncut);
  const printed = { page, inks, ...(around && { around }), ...(size.till && { till: true as const }) };
  return ok({ design: laid.design, format, print: printed });
};

/**
 * Returns a picture in its repaired design; its plan, that of another design, is gone. On paper, a repaired quiet zone
 * has four modules, for which the design is laid out again.
 */
export const redesign = (
  { plan: _, ...subject }: Subject,
  repaired: Design,
  { format, print }: FileSpec,
): Result<Subject, Fault> => {
  const { marginPx } = subject.design;
  if (!print?.size || repaired.marginPx === marginPx) return ok({ ...subject, design: repaired });
  const { quietZone: __, ...size } = print.size;
  const laid = layOutFile(subject.text, { ...repaired, marginPx }, { format, print: { ...print, size } });
  return laid.ok ? ok({ ...subject, ...laid.value }) : laid;
};
