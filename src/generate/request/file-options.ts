/** The options of a file: its format and its size, in pixels or in millimetres. Print profiles keep them by name. */
import Type, { type Static } from 'typebox';
import { FORMATS, namesOf } from '../../../workers/lists.ts';
import type { Fault } from '../../../workers/protocol.ts';
import { ok, type Result, refused } from '../../result.ts';
import { formatFault } from './inks.ts';
import { mergeOptions } from './options.ts';
import { SizePx, strict } from './picture-options.ts';
import { MM_FIELDS, type Print, type PrintQuery, printParameters, toPrint } from './print.ts';

/** The size of a file of a saved code, in pixels or in millimetres. */
export const sizeParameters = {
  width: Type.Optional(
    Type.Integer({
      ...SizePx,
      description: 'Pixels; absent: the saved width. Height and margins follow.',
    }),
  ),
  ...printParameters,
};

/** What a print profile keeps. */
export const FileOptions = Type.Object(
  { format: Type.Optional(Type.Enum(namesOf(FORMATS))), width: Type.Optional(SizePx), ...printParameters },
  { ...strict, title: 'FileOptions' },
);
/** As they were written, without defaults. */
export type FileOptions = Static<typeof FileOptions>;

/** The size that validated options ask for. */
export interface FileSize {
  /** Absent: the saved width. */
  readonly widthPx?: number;
  readonly print: Print;
}

/**
 * Returns the size that validated options ask for, or a fault when one of them needs or excludes another.
 *
 * @param known What a caption may name; `null`: anything.
 */
export const toFileSize = (
  { format, width: widthPx, ...printed }: FileOptions,
  known: readonly string[] | null = null,
): Result<FileSize, Fault> => {
  const print = toPrint(printed, known);
  if (!print.ok) return print;
  const unprinted = format === undefined ? null : formatFault(print.value.inks, format);
  if (unprinted !== null) return refused(unprinted);
  if (widthPx === undefined) return ok({ print: print.value });
  return print.value.size === null
    ? ok({ widthPx, print: print.value })
    : refused({ field: 'width', message: 'must not be sent together with a size in millimetres' });
};

const SIDES: readonly string[] = ['width', 'module_mm', 'width_mm'];

/**
 * Returns the options of a profile, overridden by those that a call says. A side replaces the side of the profile, and a
 * width in pixels all that it has in millimetres, and the other way round.
 *
 * @param said Options by their names, with values of any type.
 */
export const overProfile = <Said extends object>(profile: FileOptions, said: Said): FileOptions & Said => {
  const says = (name: string): boolean => Object.hasOwn(said, name);
  const isPx = says('width');
  const isMm = MM_FIELDS.some(says);
  const kept = Object.entries(profile).filter(([name]) => {
    if (SIDES.includes(name) && SIDES.some(says)) return false;
    return name === 'width' ? !isMm : !(isPx && MM_FIELDS.some((field) => field === name));
  });
  return { ...Object.fromEntries(kept), ...said } as FileOptions & Said;
};

/**
 * Returns the options for all rows of a batch: those of its preset, its profile and its own, each over the one before. A
 * profile in pixels makes square pictures.
 */
export const underProfile = (
  { format: _, width, ...ofProfile }: FileOptions,
  preset: object,
  own: { readonly print?: PrintQuery },
): object => {
  const print = overProfile(ofProfile, own.print ?? {});
  const sized = width === undefined ? {} : { width, height: width };
  return mergeOptions<object>(mergeOptions<object>(preset, sized), {
    ...own,
    ...(Object.keys(print).length > 0 && { print }),
  });
};
