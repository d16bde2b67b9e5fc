import { blackPng, dataUri, pngChunk } from '../../hostile/pictures.ts';
import type { Attack } from '../attack.ts';
import { sendLogos } from '../send-logos.ts';

/** Returns a PNG that ends after its header. */
const headerOf = (widthPx: number, heightPx: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([16, 6, 0, 0, 0], 8);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), pngChunk('IHDR', header)]);
};

export const bitmapBombs: Attack = {
  name: 'bitmap-bombs',
  holds: 'bitmaps of a few kilobytes that unpack to gigabytes are refused by their header',
  needsAccount: true,
  async run(field) {
    const bombs: readonly (readonly [string, Buffer])[] = [
      ['20,000 squared', await blackPng(20_000, 20_000, { bitDepth: 1, colorType: 0 })],
      ['30,000 squared', await blackPng(30_000, 30_000, { bitDepth: 1, colorType: 0 })],
      ['4,096 squared of 16 bits', await blackPng(4096, 4096, { bitDepth: 16, colorType: 6 })],
      [
        '4,096 squared, interlaced',
        await blackPng(4096, 4096, { bitDepth: 16, colorType: 6, interlaced: true }),
      ],
      ['1 x 100,000', await blackPng(1, 100_000, { bitDepth: 1, colorType: 0 })],
      ['a header of 2^31 squared', headerOf(0x7fff_ffff, 0x7fff_ffff)],
      ['a header of nothing', headerOf(0, 0)],
      [
        'a text of a megabyte',
        await blackPng(9, 9, { extra: pngChunk('tEXt', Buffer.alloc(1_000_000, 'x')) }),
      ],
    ];
    const repeated = Array.from({ length: 4 }, () => bombs).flat();
    await sendLogos(
      field,
      repeated.map(([name, file]) => [name, dataUri('png', file)] as const),
    );
  },
};
