/**
 * Files and sheets on printers that have only black dots: label printers of 203, 300 and 600 dpi, fax machines, and what
 * CUPS sends to them. Both readers of the service read each print, and the files need black ink alone.
 */
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import { makeSheets, type SheetCode } from '../../../src/sheets/maker.ts';
import { resolveSheet } from '../../../src/sheets/sheet.ts';
import type { Inks } from '../../../workers/protocol.ts';
import { DESIGNS, file, TEXT } from '../../print/codes.ts';
import { oneBitDevices, printDots } from '../../support/pictures/one-bit.ts';
import { inkCovers } from '../../support/pictures/print.ts';
import { readGrayTwice } from '../../support/pictures/readers.ts';

const SIDE_MM = 20;
const DPIS = [203, 300, 600];

const sheetFile = async (): Promise<Uint8Array> => {
  const sheet = resolveSheet({
    page: { width_mm: SIDE_MM + 6, height_mm: SIDE_MM + 12 },
    label: { columns: 1, rows: 1, caption: '{content}' },
    crop_marks: true,
    bleed_mm: 1,
  });
  if (!sheet.ok) throw new Error(sheet.fault.message);
  async function* codes(): AsyncGenerator<SheetCode> {
    yield { values: { content: 'A 1' }, picture: { text: TEXT, design: toDesign({}), logo: null } };
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of makeSheets({ sheet: sheet.value, title: 'Labels', codes: codes() }))
    pieces.push(piece);
  return Buffer.concat(pieces);
};

t.test('black prints solid on every device with only black dots', async (t) => {
  const inks = (['rgb', 'cmyk'] as const).map((color): Inks => ({ color, paper: '#ffffff' }));
  const files: readonly (readonly [name: string, bytes: Uint8Array])[] = [
    ...(['pdf', 'eps'] as const).flatMap((format) => [
      ...inks.map((one) => [`${format}, ${one.color}`, file(format, {}, { inks: one })] as const),
      [`${format} with black dots`, file(format, { dotsOptions: { type: 'rounded' } })] as const,
      [`${format} in a circle`, file(format, DESIGNS.circle!.options)] as const,
    ]),
    ['sheet', await sheetFile()],
  ];
  const bytes = files.map(([, one]) => one);
  for (const [i, covers] of (await inkCovers(bytes)).entries()) {
    const [c, m, y, k] = covers;
    t.strictSame([c, m, y], [0, 0, 0], `${files[i]![0]}: no other ink`);
    t.ok(k! > 0.05, `${files[i]![0]}: ${k} K`);
  }
  const devices = oneBitDevices();
  t.ok(devices.includes('pngmono') && devices.length >= 3, devices.join(', '));
  for (const device of devices) {
    for (const dpi of DPIS) {
      for (const [i, page] of (await printDots(bytes, device, dpi)).entries()) {
        const what = `${files[i]![0]} on ${device} at ${dpi} dpi`;
        t.strictSame(await readGrayTwice(page), { zxing: TEXT, zbar: TEXT }, what);
      }
    }
  }
});
