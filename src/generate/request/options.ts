/** Options of a design: merged over those of another, as a row over its batch, and written from a design. */
import type { Design, Logo, Paint } from '../../../workers/protocol.ts';
import { writeLogo } from '../../../workers/vector/path.ts';
import { IMAGE_MAX_CHARACTERS, type PictureOptions } from './picture-options.ts';

/** Options of a design as a caller writes them, without defaults. */
type Options = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object. */
export const isOptions = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The other field that a field replaces, because one of the two overrides or excludes the other. */
const RIVALS: ReadonlyMap<string, string> = new Map([
  ['color', 'gradient'],
  ['gradient', 'color'],
  ['module_mm', 'width_mm'],
  ['width_mm', 'module_mm'],
  ['mode', 'segments'],
  ['segments', 'mode'],
]);

/** `segments: single` goes with any mode. */
const rivalOf = ([name, value]: [string, unknown]): string | undefined =>
  value === 'single' ? undefined : RIVALS.get(name);

const mergeField = (base: unknown, own: unknown): unknown => {
  if (!isOptions(base) || !isOptions(own)) return own;
  const replaced = new Set(Object.entries(own).map(rivalOf));
  const kept = Object.entries(base).filter(([name]) => !replaced.has(name));
  return { ...Object.fromEntries(kept), ...own };
};

/**
 * Returns `base` overridden by `own`, field by field, also in inner objects. Both must be as their callers wrote them:
 * a default that validation has added would hide a value of `base`. The result shares inner values with both.
 */
export const mergeOptions = <T extends object>(base: T, own: T): T =>
  Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(own).map(([name, value]) => [name, mergeField((base as Options)[name], value)]),
  ]) as T;

const paintOptions = (paint: Paint | null) => {
  if (paint === null) return {};
  if (typeof paint === 'string') return { color: paint };
  const { type, rotationRad, colorStops } = paint;
  return { gradient: { type, rotation: rotationRad, colorStops: colorStops.map((stop) => ({ ...stop })) } };
};

/**
 * Returns the options that give a design: the inverse of `toDesign`. It writes defaults out and leaves the logo out.
 */
export const toOptions = (design: Design): PictureOptions => {
  const { marginPx, symbol, dots, cornersSquare, cornersDot, background, image } = design;
  const [level, lower] = symbol.levels;
  return {
    width: design.widthPx,
    height: design.heightPx,
    ...(marginPx === null ? {} : { margin: marginPx }),
    shape: design.shape,
    qrOptions: {
      typeNumber: symbol.typeNumber,
      ...(symbol.mode === null ? {} : { mode: symbol.mode }),
      // Several levels mean that the request named none.
      ...(level === undefined || lower !== undefined ? {} : { errorCorrectionLevel: level }),
      segments: symbol.segments ?? 'single',
      eci: symbol.eci ?? false,
      boost: symbol.boost ?? false,
      ...(symbol.gs1 === undefined ? {} : { gs1: symbol.gs1 }),
    },
    imageOptions: {
      imageSize: image.size,
      margin: image.marginPx,
      hideBackgroundDots: image.hideBackgroundDots,
    },
    dotsOptions: { type: dots.type, ...paintOptions(dots.paint), roundSize: dots.roundSize },
    cornersSquareOptions: {
      ...(cornersSquare.type === null ? {} : { type: cornersSquare.type }),
      ...paintOptions(cornersSquare.paint),
    },
    cornersDotOptions: {
      ...(cornersDot.type === null ? {} : { type: cornersDot.type }),
      ...paintOptions(cornersDot.paint),
    },
    backgroundOptions: { ...paintOptions(background.paint), round: background.round },
  };
};

/** A data URI that is made when it is written: as one text, that of a large logo takes longer than its answer. */
export interface ImageData {
  readonly head: string;
  readonly bytes: Uint8Array;
}

/** Returns the length of a data URI in characters. */
export const lengthOf = ({ head, bytes }: ImageData): number => head.length + 4 * Math.ceil(bytes.length / 3);

/** Returns bytes in base64, without a copy. */
export const toBase64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

const dataOf = (logo: Logo): ImageData | null => {
  const [type, bytes] =
    logo.vector === undefined ? ['png', logo.png] : ['svg+xml', Buffer.from(writeLogo(logo.vector, logo))];
  const data = { head: `data:image/${type};base64,`, bytes };
  return lengthOf(data) > IMAGE_MAX_CHARACTERS ? null : data;
};

/**
 * Returns a logo as the field `image` of a request: an SVG when it has paths. `{}` when it is too long for a request.
 */
export const toImageOption = (logo: Logo): { readonly image?: string } => {
  const data = dataOf(logo);
  return data === null ? {} : { image: data.head + toBase64(data.bytes) };
};

/** Returns the same for an answer: an `ImageData`, in the type of the text that the serializer makes of it. */
export const toImageField = (logo: Logo): { readonly image?: string } => {
  const data = dataOf(logo);
  return data === null ? {} : { image: data as unknown as string };
};
