/** The query parameters of what stands around a code: its caption and its frame. */
import Type, { type Static } from 'typebox';
import { FRAME_TYPES, namesOf } from '../../../workers/lists.ts';
import type { CaptionSpec, Fault, FrameSpec, HexColor, TextLoss } from '../../../workers/protocol.ts';
import {
  CAPTION_MAX_CHARACTERS,
  type Caption,
  fillCaption,
  parseCaption,
  writeCaption,
} from '../../csv/caption.ts';
import { gs1ValuesOf } from '../../gs1/check.ts';
import { ok, type Result, refused } from '../../result.ts';
import { CAPTION, COLOR_FORMAT, LOSS_LIST, parseColor } from '../../validation/formats.ts';

/** The largest type is that of posters. */
const LETTERS_MM = { minimum: 0.9, maximum: 200 } as const;

/** A colour without an example of its own: it is refused where nothing has it. */
const OpaqueColor = Type.String({
  format: COLOR_FORMAT,
  maxLength: 64,
  title: 'OpaqueColor',
  description: 'A CSS colour.',
});

/** Caption and frame of a file. Only `caption` and `frame` have defaults: all else needs one of them. */
export const wordParameters = {
  caption: Type.Optional(
    Type.String({
      maxLength: CAPTION_MAX_CHARACTERS,
      pattern: CAPTION,
      description: 'Text beside the code, with names such as `{content}`.',
    }),
  ),
  caption_side: Type.Optional(Type.Enum(['below', 'above', 'beside'])),
  caption_mm: Type.Optional(Type.Number({ ...LETTERS_MM, description: 'Greatest height of digits.' })),
  caption_align: Type.Optional(Type.Enum(['left', 'center', 'right'])),
  caption_weight: Type.Optional(Type.Enum(['regular', 'bold'])),
  caption_color: Type.Optional(OpaqueColor),
  frame: Type.Optional(Type.Enum(['none', ...namesOf(FRAME_TYPES)])),
  frame_color: Type.Optional(OpaqueColor),
  allow: Type.Optional(Type.String({ pattern: LOSS_LIST, description: 'What captions may lose.' })),
};

const WordQuery = Type.Object(wordParameters);
/** The validated parameters. */
export type WordQuery = Static<typeof WordQuery>;

/** The names of the parameters. */
export const WORD_FIELDS = namesOf(wordParameters);

/** Those that say how a caption looks. */
const CAPTION_FIELDS = [
  ...(['caption_side', 'caption_mm', 'caption_align', 'caption_weight'] as const),
  ...(['caption_color', 'allow'] as const),
] as const;

/** A caption whose names may still stand in it. */
export interface PrintCaption {
  readonly template: Caption;
  readonly style: Omit<CaptionSpec, 'text' | 'linesMax'>;
}

/** What stands around a code. */
export interface PrintWords {
  /** Absent: none. */
  readonly caption?: PrintCaption;
  /** Absent: none. */
  readonly frame?: FrameSpec;
}

/** What the caption of any code may name. */
export const CONTENT_NAMES = ['content', 'gs1', 'gtin'] as const;
/** What the caption of a saved code may name. */
export const CODE_NAMES = [
  ...CONTENT_NAMES,
  ...(['name', 'external_id', 'id', 'slug', 'short_url'] as const),
] as const;

/** Returns the value of a name; `undefined`: there is none. */
export type ValueOf = (name: string) => string | undefined;

/** Returns the values of `CONTENT_NAMES`. */
export const contentValues =
  (content: string): ValueOf =>
  (name) => {
    if (name === 'content') return content;
    return name === 'gs1' || name === 'gtin' ? gs1ValuesOf(content)[name] : undefined;
  };

/** Returns a caption with the names that have values written out. */
export const fillWords = <Words extends PrintWords>(words: Words, textOf: ValueOf): Words =>
  words.caption === undefined
    ? words
    : { ...words, caption: { ...words.caption, template: fillCaption(words.caption.template, textOf) } };

/** Returns the caption that is laid out. A name that still stands in it has no value. */
export const toCaptionSpec = ({ template, style }: PrintCaption): CaptionSpec => ({
  ...style,
  text: writeCaption(template, {}),
  linesMax: template.lines,
});

const readColor = (
  field: 'caption_color' | 'frame_color',
  written: string | undefined,
): Result<HexColor | undefined, Fault> => {
  if (written === undefined) return ok(undefined);
  const color = parseColor(written);
  if (color === null) throw new Error('a colour passed validation that cannot be parsed');
  return color.length > 7 ? refused({ field, message: 'must be opaque' }) : ok(color);
};

const readFrame = ({ frame: type = 'none', ...query }: WordQuery): Result<FrameSpec | null, Fault> => {
  const color = readColor('frame_color', query.frame_color);
  if (!color.ok) return color;
  if (type === 'none') return ok(null);
  return ok({ type, ...(color.value !== undefined && { color: color.value }) });
};

const readCaption = (
  query: WordQuery,
  frame: FrameSpec | null,
  known: readonly string[] | null,
): Result<PrintCaption | null, Fault> => {
  const fail = (field: string, message: string) => refused({ field, message });
  const { caption, caption_mm: mostMm } = query;
  const banner = frame === null ? null : FRAME_TYPES[frame.type].banner;
  if (caption === undefined) {
    const style = CAPTION_FIELDS.find((field) => query[field] !== undefined);
    if (style !== undefined) return fail(style, 'needs a caption');
  }
  if (caption === undefined || caption === '') {
    return banner === null ? ok(null) : fail('frame', 'needs a caption, which stands in its banner');
  }
  const template = parseCaption(caption, known);
  if (!template.ok) return fail('caption', template.fault);
  const side = query.caption_side ?? banner ?? 'below';
  if (banner !== null && side !== banner) {
    return fail('caption_side', `must be ${banner} or absent: the caption stands in the banner`);
  }
  const color = readColor('caption_color', query.caption_color);
  if (!color.ok) return color;
  return ok({
    template: template.value,
    style: {
      side,
      align: query.caption_align ?? (side === 'beside' ? 'left' : 'center'),
      weight: query.caption_weight ?? 'regular',
      allow: (query.allow?.split(',') ?? []) as TextLoss[],
      ...(mostMm !== undefined && { mostMm }),
      ...(color.value !== undefined && { color: color.value }),
    },
  });
};

/**
 * Returns what validated parameters ask for, or a fault when one needs or excludes another.
 *
 * @param known What the caption may name; `null`: anything.
 */
export const toWords = (query: WordQuery, known: readonly string[] | null): Result<PrintWords, Fault> => {
  if (query.frame === undefined && query.frame_color !== undefined) {
    return refused({ field: 'frame_color', message: 'needs a frame' });
  }
  const frame = readFrame(query);
  if (!frame.ok) return frame;
  const caption = readCaption(query, frame.value, known);
  if (!caption.ok) return caption;
  return ok({
    ...(caption.value && { caption: caption.value }),
    ...(frame.value && { frame: frame.value }),
  });
};
