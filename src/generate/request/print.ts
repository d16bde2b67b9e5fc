/** The query parameters of files for print. */
import Type, { type Static } from 'typebox';
import { type PrintSize, RANGES } from '../../../workers/print/dots.ts';
import type { Fault, Inks } from '../../../workers/protocol.ts';
import { ok, type Result, refused } from '../../result.ts';
import { inkParameters, toInks } from './inks.ts';
import { type PrintWords, toWords, WORD_FIELDS, wordParameters } from './words.ts';

/** Size, colours, caption and frame of a file, in millimetres. */
export const printParameters = {
  module_mm: Type.Optional(
    Type.Number({ ...RANGES.module_mm, description: 'Side of a module; not with `width_mm`.' }),
  ),
  width_mm: Type.Optional(
    Type.Number({ ...RANGES.width_mm, description: 'Side of the picture without its bleed.' }),
  ),
  dpi: Type.Optional(
    Type.Integer({
      minimum: 72,
      maximum: 2400,
      description: 'Dots per inch of PNG and WebP, and for `round`.',
    }),
  ),
  round: Type.Optional(
    Type.Enum(['none', 'down'], {
      default: 'none',
      description: '`down`: the largest size of whole dots within the asked one.',
    }),
  ),
  quiet_zone: Type.Optional(
    Type.Number({ minimum: 0, maximum: 20, description: 'Modules on each side; 4 by default.' }),
  ),
  bleed_mm: Type.Optional(
    Type.Number({ minimum: 0, maximum: 20, description: 'Background beyond each side.' }),
  ),
  ...inkParameters,
  text: Type.Optional(
    Type.Enum(['none', 'gs1'], {
      default: 'none',
      description: 'The text below: nothing, or the human-readable GS1 data.',
    }),
  ),
  till: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Refuses codes that tills might fail to read; sets the size.',
    }),
  ),
  ...wordParameters,
};

const PrintQuery = Type.Object(printParameters);
/** The validated parameters. */
export type PrintQuery = Static<typeof PrintQuery>;

/** What a request asks of a file. */
export interface Print extends PrintWords {
  /** `null`: in pixels, as the design has it. */
  readonly size: PrintSize | null;
  readonly inks: Inks;
  /** What is printed directly below: the GS1 data of the code. Absent: nothing. */
  readonly text?: 'gs1';
}

const SIZES = ['module_mm', 'width_mm', 'dpi', 'quiet_zone', 'bleed_mm'] as const;
/** The parameters that count only in millimetres. */
export const MM_FIELDS = [...SIZES, 'round', 'text', 'till', ...WORD_FIELDS] as const;

/** Whether a fault is one of the parameters for print. */
export const isPrintField = (field: string): boolean => field in printParameters;

/**
 * Returns what validated parameters ask for, or a fault when one of them needs or excludes another.
 *
 * @param known What a caption may name; `null`: anything.
 */
export const toPrint = (query: PrintQuery, known: readonly string[] | null = null): Result<Print, Fault> => {
  const { module_mm: moduleMm, width_mm: widthMm, dpi, quiet_zone: quietZone, bleed_mm: bleedMm } = query;
  if (moduleMm !== undefined && widthMm !== undefined) {
    return refused({ field: 'width_mm', message: 'must not be sent together with module_mm' });
  }
  const inks = toInks(query);
  if (!inks.ok) return inks;
  const size = {
    ...(moduleMm === undefined ? {} : { moduleMm }),
    ...(widthMm === undefined ? {} : { widthMm }),
    ...(dpi === undefined ? {} : { dpi }),
    ...(quietZone === undefined ? {} : { quietZone }),
    ...(bleedMm === undefined ? {} : { bleedMm }),
    ...(query.till ? { till: true as const } : {}),
    ...(query.round === 'down' ? { round: 'down' as const } : {}),
  };
  const words = toWords(query, known);
  if (!words.ok) return words;
  const hasText = query.text === 'gs1';
  const hasWords = hasText || Object.keys(words.value).length > 0;
  const hasSize = hasWords || query.till || SIZES.some((name) => query[name] !== undefined);
  return ok({
    size: hasSize ? size : null,
    inks: inks.value,
    ...(hasText ? { text: 'gs1' as const } : {}),
    ...words.value,
  });
};
