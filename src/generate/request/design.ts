import { LRUCache } from 'lru-cache';
import { CORNERS_LEFT_OUT } from '../../../workers/lists.ts';
import type { Design, Paint } from '../../../workers/protocol.ts';
import { parseColor } from '../../validation/formats.ts';
import type { PictureOptions } from './picture-options.ts';

interface PaintOptions {
  readonly color?: string;
  readonly gradient?: {
    readonly type?: 'linear' | 'radial';
    readonly rotation?: number;
    readonly colorStops: readonly { readonly offset: number; readonly color: string }[];
  };
}

/** Validation accepts only what `parseColor` can read, so any other text here is a bug. */
const color = (text: string): string => {
  const parsed = parseColor(text);
  if (parsed === null) throw new Error('a colour passed validation that cannot be parsed');
  return parsed;
};

/** Returns the gradient, or else the colour; `null` when neither is given. */
const toPaint = (options: PaintOptions | undefined): Paint | null => {
  if (options?.gradient !== undefined) {
    const { type = 'linear', rotation = 0, colorStops } = options.gradient;
    return {
      type,
      rotationRad: rotation,
      colorStops: colorStops.map((stop) => ({ offset: stop.offset, color: color(stop.color) })),
    };
  }
  return options?.color === undefined ? null : color(options.color);
};

const DEFAULT_SIZE_PX = 300;
const BLACK = '#000000';
const WHITE = '#ffffff';

/** Returns the design of a validated request, with every default applied and every colour as hex. */
export const toDesign = (options: PictureOptions): Design => {
  const { qrOptions, imageOptions, dotsOptions, cornersSquareOptions, cornersDotOptions } = options;
  const level = qrOptions?.errorCorrectionLevel;
  const leftOut = CORNERS_LEFT_OUT[dotsOptions?.type ?? 'square'];
  return {
    widthPx: options.width ?? DEFAULT_SIZE_PX,
    heightPx: options.height ?? DEFAULT_SIZE_PX,
    marginPx: options.margin ?? null,
    shape: options.shape ?? 'square',
    symbol: {
      typeNumber: qrOptions?.typeNumber ?? 0,
      mode: qrOptions?.mode ?? null,
      levels: level === undefined ? ['Q', 'M', 'L'] : [level],
      // A default is left out: the same picture has the same key, whether the request names the default or not.
      ...(qrOptions?.segments === 'optimal' ? { segments: 'optimal' } : {}),
      ...(qrOptions?.eci ? { eci: true } : {}),
      ...(qrOptions?.boost ? { boost: true } : {}),
      ...(qrOptions?.gs1 === undefined ? {} : { gs1: qrOptions.gs1 }),
    },
    dots: {
      type: dotsOptions?.type ?? 'square',
      paint: toPaint(dotsOptions) ?? BLACK,
      roundSize: dotsOptions?.roundSize ?? true,
    },
    cornersSquare: {
      type: cornersSquareOptions?.type ?? leftOut?.ring ?? null,
      paint: toPaint(cornersSquareOptions),
    },
    cornersDot: {
      type: cornersDotOptions?.type ?? leftOut?.centre ?? null,
      paint: toPaint(cornersDotOptions),
    },
    background: {
      paint: toPaint(options.backgroundOptions) ?? WHITE,
      round: options.backgroundOptions?.round ?? 0,
    },
    image: {
      size: imageOptions?.imageSize ?? 0.4,
      marginPx: imageOptions?.margin ?? 0,
      hideBackgroundDots: imageOptions?.hideBackgroundDots ?? true,
    },
  };
};

/** Designs of the image endpoint by their options. Most queries differ in their content alone. */
const imageDesigns = new LRUCache<string, Design>({ max: 1000 });

/**
 * Returns the design of the image endpoint: a square canvas, square modules and a quiet zone. The error correction
 * level is M, or L when the content does not fit otherwise. Equal queries share one object.
 */
export const toImageDesign = (query: { width?: number; dark?: string; light?: string }): Design => {
  const { width = DEFAULT_SIZE_PX, dark = BLACK, light = WHITE } = query;
  const options = `${width}|${dark}|${light}`;
  const known = imageDesigns.get(options);
  if (known !== undefined) return known;
  const square = toDesign({
    width,
    height: width,
    dotsOptions: { color: dark },
    backgroundOptions: { color: light },
  });
  const design: Design = { ...square, symbol: { ...square.symbol, levels: ['M', 'L'] } };
  imageDesigns.set(options, design);
  return design;
};
