import sharp, { type SharpOptions } from 'sharp';
import { ok, type Result } from '../result.ts';
import { countScans, uprightSize } from './decoders.ts';
import { BUSY, type LogoFault, refuse } from './outcome.ts';
import { type BitmapType, MAX_SIDE_PX, ratioFault, type Size, scaleTo } from './sniff.ts';

/** 4096 squared; decoded as RGBA, 64 MiB. */
const MAX_PIXELS = 16_777_216;
const MAX_INPUT_SIDE_PX = 10_000;
/**
 * A progressive JPEG is decoded once for each of its scans. Encoders write about ten; a file of 2 MB can have 10^5.
 * This allows twenty at the largest size, and more of smaller pictures.
 */
const MAX_SCANNED_PIXELS = 20 * MAX_PIXELS;
/**
 * Only a busy machine takes this long: the costliest picture within the bounds takes under a second on an idle one.
 * libvips counts whole seconds by the clock.
 */
const DECODE_TIMEOUT_S = 10;

const INPUT: SharpOptions = { failOn: 'error', limitInputPixels: MAX_PIXELS, pages: 1 };

/** A logo as PNG of at most 1024 px a side, and the natural size of what was sent. */
export interface Raster {
  readonly png: Uint8Array;
  readonly natural: Size;
}

const NOT_DECODED = 'is not a complete image: it is damaged or cut off; save it again and retry';

const sizeFault = (size: Size): string | null => {
  const { widthPx, heightPx } = size;
  if (widthPx * heightPx > MAX_PIXELS || Math.max(widthPx, heightPx) > MAX_INPUT_SIDE_PX) {
    return `is ${widthPx} x ${heightPx} pixels; at most ${MAX_PIXELS} pixels and ${MAX_INPUT_SIDE_PX} a side are accepted`;
  }
  return ratioFault(size);
};

/** Reads only the header, whose format must be `type`. */
const readSize = async (bytes: Uint8Array, type: BitmapType): Promise<Result<Size, LogoFault>> => {
  // No limit here, so that the fault can name the size of a picture that is too large. No pixel is decoded.
  const metadata = await sharp(bytes, { ...INPUT, limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (!metadata || metadata.format !== type) return refuse('decode', NOT_DECODED);
  const size = uprightSize(metadata);
  const fault = sizeFault(size);
  if (fault) return refuse('size', fault);
  const scans = type === 'jpeg' ? countScans(bytes) : 1;
  return size.widthPx * size.heightPx * scans <= MAX_SCANNED_PIXELS
    ? ok(size)
    : refuse('decode', `is a progressive JPEG of ${scans} scans; save it again without them`);
};

/**
 * Decodes a bitmap, turns it upright (EXIF), scales it down (never up) to 1024 px a side and writes it as
 * PNG in sRGB without metadata. It takes the first picture of an animation. Runs in libuv's threads. A fault says that
 * the bytes are damaged, of another type, too large, too long for their width, or have too many scans; `BUSY`, that the
 * machine is too busy.
 */
export const normaliseBitmap = async (
  bytes: Uint8Array,
  type: BitmapType,
): Promise<Result<Raster, LogoFault>> => {
  const size = await readSize(bytes, type);
  if (!size.ok) return size;
  const natural = size.value;
  const longestPx = Math.min(MAX_SIDE_PX, Math.max(natural.widthPx, natural.heightPx));
  const target = scaleTo(natural, longestPx);
  const startedMs = performance.now();
  try {
    const png = await sharp(bytes, INPUT)
      .autoOrient()
      .resize(target.widthPx, target.heightPx, { fit: 'fill' })
      .png()
      .timeout({ seconds: DECODE_TIMEOUT_S })
      .toBuffer();
    return ok({ png: new Uint8Array(png), natural });
  } catch {
    // By the clock, because libvips names the time only when no reader fails from being stopped first.
    const hasTimedOut = performance.now() - startedMs >= DECODE_TIMEOUT_S * 1000;
    return hasTimedOut ? BUSY : refuse('decode', NOT_DECODED);
  }
};
