/**
 * The design of a picture as a caller writes it: TypeBox values that validate, document and type it. The fields follow
 * section 2.1 of the interface specification; the inner fields are those of `qr-code-styling`.
 */
import Type, { type Static } from 'typebox';
import { CORNER_TYPES, DOT_TYPES, GS1_CONTENTS, namesOf } from '../../../workers/lists.ts';
import { COLOR_FORMAT, IMAGE_FORMAT } from '../../validation/formats.ts';

/** Options of an object that takes no other fields. */
export const strict = { additionalProperties: false } as const;

/** A colour as a caller writes it. `parseColor` turns it into hex. */
export const Color = Type.String({
  title: 'Color',
  format: COLOR_FORMAT,
  maxLength: 64,
  description: 'A CSS colour: hex with `#`, a name, `rgb()`, `hsl()` or `transparent`.',
  examples: ['#1a2b3c'],
});

const Gradient = Type.Object(
  {
    type: Type.Optional(Type.Enum(['linear', 'radial'], { default: 'linear' })),
    rotation: Type.Optional(
      Type.Number({ minimum: -1000, maximum: 1000, default: 0, description: 'Radians, clockwise.' }),
    ),
    colorStops: Type.Array(
      Type.Object(
        { offset: Type.Number({ minimum: 0, maximum: 1 }), color: Color },
        { ...strict, title: 'ColorStop' },
      ),
      { minItems: 1, maxItems: 64 },
    ),
  },
  { ...strict, title: 'Gradient', description: 'Overrides `color`.' },
);

const paint = { color: Type.Optional(Color), gradient: Type.Optional(Gradient) };

const CornersOptions = Type.Object(
  {
    type: Type.Optional(
      Type.Enum(namesOf(CORNER_TYPES), {
        description: 'Absent: same as the dots, but centres among `dots` are `rounded`.',
      }),
    ),
    ...paint,
  },
  { ...strict, title: 'CornersOptions' },
);

/** Least `width` and `height` (specification 2.1). */
export const SIZE_MIN_PX = 50;
/** Greatest `width` and `height` (specification 2.1). */
export const SIZE_MAX_PX = 2000;
/** Greatest length of `data`, in UTF-16 units: what the largest symbol holds in alphanumeric mode. */
export const DATA_MAX_CHARACTERS = 4296;
/** Greatest length of `image` (specification 2.1), and so of a logo as a data URI. */
export const IMAGE_MAX_CHARACTERS = 2_000_000;

/** Width or height of a picture in pixels. */
export const SizePx = Type.Integer({
  title: 'SizePx',
  minimum: SIZE_MIN_PX,
  maximum: SIZE_MAX_PX,
  description: 'Pixels.',
});

/** The text that a symbol encodes. */
export const Data = Type.String({
  title: 'Data',
  minLength: 1,
  maxLength: DATA_MAX_CHARACTERS,
  description: 'Content to encode. Any text; written as UTF-8.',
  examples: ['https://example.com/'],
});

const fields = {
  width: Type.Optional(SizePx),
  height: Type.Optional(SizePx),
  margin: Type.Optional(
    Type.Integer({
      title: 'Margin',
      minimum: 0,
      maximum: 100,
      description: 'Padding in pixels. Absent: a quiet zone of four modules.',
    }),
  ),
  shape: Type.Optional(Type.Enum(['square', 'circle'], { default: 'square' })),
  image: Type.Optional(
    Type.String({
      title: 'LogoSource',
      maxLength: IMAGE_MAX_CHARACTERS,
      format: IMAGE_FORMAT,
      description: 'Logo in the centre: an http(s) URL or a base64 `data:image/...` URI.',
    }),
  ),
  qrOptions: Type.Optional(
    Type.Object(
      {
        typeNumber: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 40,
            default: 0,
            description: 'Version of the symbol. 0: the smallest that fits.',
          }),
        ),
        mode: Type.Optional(
          Type.Enum(['Numeric', 'Alphanumeric', 'Byte', 'Kanji'], {
            description: 'Absent: by content. Not together with `segments: optimal`.',
          }),
        ),
        errorCorrectionLevel: Type.Optional(
          Type.Enum(['L', 'M', 'Q', 'H'], { description: 'Absent: Q, or lower when the content needs it.' }),
        ),
        segments: Type.Optional(
          Type.Enum(['single', 'optimal'], {
            default: 'single',
            description: '`optimal`: the shortest sequence of segments in any modes, Kanji included.',
          }),
        ),
        eci: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Marks characters outside ASCII in Byte mode as UTF-8 (ECI 26).',
          }),
        ),
        boost: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Uses the highest error correction level that fits the version.',
          }),
        ),
        gs1: Type.Optional(
          Type.Enum([...GS1_CONTENTS], {
            description:
              '`data` must be a valid GS1 Digital Link URI, or a valid element string, which gets FNC1 in first position.',
          }),
        ),
      },
      { ...strict, title: 'QrOptions' },
    ),
  ),
  imageOptions: Type.Optional(
    Type.Object(
      {
        hideBackgroundDots: Type.Optional(Type.Boolean({ default: true })),
        imageSize: Type.Optional(
          Type.Number({
            minimum: 0,
            maximum: 1,
            default: 0.4,
            description:
              'How large the logo is; 1 covers at most the share that the error correction level restores. Up to 0.3 is safest.',
          }),
        ),
        margin: Type.Optional(Type.Number({ minimum: 0, maximum: 1000, default: 0, description: 'Pixels.' })),
        crossOrigin: Type.Optional(
          Type.String({ maxLength: 64, description: 'For browsers; no effect on a picture drawn here.' }),
        ),
        saveAsBlob: Type.Optional(
          Type.Boolean({ description: 'For browsers; a logo is always embedded here.' }),
        ),
      },
      { ...strict, title: 'ImageOptions' },
    ),
  ),
  dotsOptions: Type.Optional(
    Type.Object(
      {
        type: Type.Optional(Type.Enum(namesOf(DOT_TYPES), { default: 'square' })),
        ...paint,
        roundSize: Type.Optional(
          Type.Boolean({ default: true, description: 'Whole-pixel modules; false: no anti-aliasing.' }),
        ),
      },
      { ...strict, title: 'DotsOptions' },
    ),
  ),
  cornersSquareOptions: Type.Optional(CornersOptions),
  cornersDotOptions: Type.Optional(CornersOptions),
  backgroundOptions: Type.Optional(
    Type.Object(
      { ...paint, round: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 0 })) },
      { ...strict, title: 'BackgroundOptions' },
    ),
  ),
};

/** Everything about a picture but its content. */
export const PictureOptions = Type.Object(fields, { ...strict, title: 'PictureOptions' });
/** A validated request for a picture, without its content. */
export type PictureOptions = Static<typeof PictureOptions>;
