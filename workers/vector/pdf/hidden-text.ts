/** The text of a PDF under its outlines, which programs search, copy and extract. */
import { getOrMake } from '../../kept.ts';
import { ADVANCE } from '../../print/text.ts';
import type { TextBlock } from '../../protocol.ts';
import { formatNumber } from '../path.ts';
import { internalsOf, type PdfDocument, type PdfReference } from './objects.ts';

/** Nothing of it is drawn, so it need not be embedded. */
const FONT = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier', Encoding: 'WinAnsiEncoding' };
const NAME = 'H';
/** Width of its letters in ems. */
const COURIER_ADVANCE = 0.6;
const PERCENT = 100;

const fonts = new WeakMap<PdfDocument, PdfReference>();

/** Writes a text in the invisible mode (ISO 32000-1, 9.3.6), letters where their outlines are. Units are those of the text. */
export function writeHiddenText(doc: PdfDocument, { sizePx, lines }: TextBlock): void {
  const inner = internalsOf(doc);
  inner.page.fonts[NAME] = getOrMake(fonts, doc, () => {
    const font = inner.ref(FONT);
    font.end();
    return font;
  });
  const across = formatNumber((ADVANCE / COURIER_ADVANCE) * PERCENT);
  for (const { text, xPx, baselinePx } of lines) {
    const [size, x, y] = [sizePx, xPx, baselinePx].map((px) => formatNumber(px));
    const hex = Buffer.from(text, 'latin1').toString('hex');
    inner.addContent(`BT /${NAME} ${size} Tf 3 Tr ${across} Tz 1 0 0 -1 ${x} ${y} Tm <${hex}> Tj ET`);
  }
}
