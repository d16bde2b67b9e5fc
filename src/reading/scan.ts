/** Decodes the scans and photos of prints that people send. */
import sharp, { type SharpOptions } from 'sharp';
import { countScans, uprightSize } from '../logo/decoders.ts';
import { sniff } from '../logo/sniff.ts';
import { ok, type Result, refused } from '../result.ts';
import type { Luma } from './png.ts';

/** The types of pictures that are decoded. */
export const SCAN_TYPES = ['png', 'jpeg', 'webp'] as const;
type ScanType = (typeof SCAN_TYPES)[number];

/** A3 at 300 dpi, and A4 at 400. The readers take five times as many bytes. */
export const SCAN_MAX_PIXELS = 25_000_000;
/** A progressive JPEG is decoded once for each of its scans. Encoders write about ten; a file can have 10^5. */
const MAX_SCANNED_PIXELS = 12 * SCAN_MAX_PIXELS;
/** Only a busy machine takes this long. libvips counts whole seconds by the clock. */
const DECODE_TIMEOUT_S = 20;

const INPUT: SharpOptions = { failOn: 'error', limitInputPixels: SCAN_MAX_PIXELS, pages: 1 };

const DAMAGED = 'is not a complete picture: it is damaged or cut off';

const isScanType = (type: string | null): type is ScanType => SCAN_TYPES.includes(type as ScanType);

/** Returns what its header says against decoding a picture; `null`: nothing. */
const findFault = async (bytes: Uint8Array): Promise<string | null> => {
  const type = sniff(bytes);
  if (!isScanType(type)) return 'is no picture in PNG, JPEG or WebP';
  // No limit here, so that the fault can name the size. No pixel is decoded.
  const header = await sharp(bytes, { ...INPUT, limitInputPixels: false })
    .metadata()
    .catch(() => null);
  if (header?.format !== type) return DAMAGED;
  const { widthPx, heightPx } = uprightSize(header);
  const pixels = widthPx * heightPx;
  if (pixels > SCAN_MAX_PIXELS)
    return `is ${widthPx} x ${heightPx} pixels; at most ${SCAN_MAX_PIXELS} are read: scan it at 300 dpi, or send parts of it`;
  const scans = type === 'jpeg' ? countScans(bytes) : 1;
  return pixels * scans <= MAX_SCANNED_PIXELS
    ? null
    : `is a progressive JPEG of ${scans} scans; save it again without them`;
};

/**
 * Decodes a picture upright (EXIF), in grey and on white; of an animation the first picture. Runs in libuv's threads. A
 * fault continues a sentence that begins with the picture; `null`: the machine is too busy.
 */
export const decodeScan = async (bytes: Uint8Array): Promise<Result<Luma, string | null>> => {
  const fault = await findFault(bytes);
  if (fault !== null) return refused(fault);
  const startedMs = performance.now();
  try {
    const { data, info } = await sharp(bytes, INPUT)
      .autoOrient()
      .flatten({ background: '#fff' })
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .timeout({ seconds: DECODE_TIMEOUT_S })
      .toBuffer({ resolveWithObject: true });
    return ok({ widthPx: info.width, heightPx: info.height, data: new Uint8Array(data) });
  } catch {
    const hasTimedOut = performance.now() - startedMs >= DECODE_TIMEOUT_S * 1000;
    return refused(hasTimedOut ? null : DAMAGED);
  }
};
