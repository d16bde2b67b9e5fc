/** The text of a PDF under its outlines, which programs search, copy and extract. */
import { getOrMake } from '../../kept.ts';
import { textFont } from '../../print/letters.ts';
import { NARROWNESS } from '../../print/text.ts';
import type { TextBlock } from '../../protocol.ts';
import { type DocumentFont, openFont } from './font.ts';
import { internalsOf, type PdfDocument } from './objects.ts';

const PERCENT = 100;

/** Nothing is drawn with them, but they are embedded: printers refuse files that lack a font. */
const fonts = new WeakMap<PdfDocument, DocumentFont>();

/**
 * Writes a text in the invisible mode (ISO 32000-1, 9.3.6), letters where their outlines are. Units are those of the text.
 * The mode stays in the graphics state.
 */
export function writeHiddenText(doc: PdfDocument, { sizePx, lines }: TextBlock): void {
  const font = getOrMake(fonts, doc, () => openFont(doc, textFont()));
  internalsOf(doc).addContent(`3 Tr ${NARROWNESS * PERCENT} Tz`);
  for (const { text, xPx, baselinePx } of lines) font.write(text, xPx, baselinePx, sizePx);
}
