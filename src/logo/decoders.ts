/** Which decoders of bitmaps may run on what people send, and what headers say before one does. */
import sharp, { type Metadata } from 'sharp';
import type { Size } from './sniff.ts';

// Each picture is decoded once, so libvips' own cache would only take memory. Its other readers are blocked.
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});

const START_OF_SCAN = Buffer.from([0xff, 0xda]);

/** The size of the upright picture: EXIF orientations 5 to 8 swap the sides. */
export const uprightSize = ({ width, height, orientation = 1 }: Metadata): Size =>
  orientation >= 5 ? { widthPx: height, heightPx: width } : { widthPx: width, heightPx: height };

/** The scans of a JPEG. Within a scan, 0xFF stands before 0x00 or a restart marker (ITU-T T.81, B.1.1.5). */
export const countScans = (bytes: Uint8Array): number => {
  const jpeg = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let scans = 0;
  for (let at = jpeg.indexOf(START_OF_SCAN); at !== -1; at = jpeg.indexOf(START_OF_SCAN, at + 2)) scans++;
  return scans;
};
