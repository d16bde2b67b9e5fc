import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';
import { PT_PER_MM } from '../../print/dots.ts';
import type { Inks, Page } from '../../protocol.ts';
import type { Scene } from '../scene.ts';
import { drawScene } from './draw-scene.ts';
import { internalsOf } from './objects.ts';

/** pdfkit derives the file's id from a time; with this one the same scene gives the same bytes. */
const NO_TIME = new Date(0);

const require = createRequire(import.meta.url);
/** Loaded with the first PDF, since it takes longer than everything else that a render thread loads. */
const pdfkit = (): typeof PDFDocument => require('pdfkit');

/**
 * Returns a PDF 1.4 of one page: the scene at the size of `page` with its bleed around it. The trim box is the page
 * without bleed. It has no title or date, a font only for text, and the same scene gives the same bytes.
 */
export const writePdf = (scene: Scene, page: Page, inks: Inks): Uint8Array<ArrayBuffer> => {
  const bleed = page.bleedMm * PT_PER_MM;
  const [width, height] = [page.widthMm * PT_PER_MM, page.heightMm * PT_PER_MM];
  const doc = new (pdfkit())({
    size: [width + 2 * bleed, height + 2 * bleed],
    margin: 0,
    info: { Producer: 'Tessera', Creator: 'Tessera', CreationDate: NO_TIME },
    // Otherwise pdfkit adds Helvetica, which nothing uses.
    font: null as unknown as string,
  });
  const inner = internalsOf(doc);
  // It remains for pdfkit to read, but pdfkit writes no property that is not enumerable.
  Object.defineProperty(inner.info, 'CreationDate', { value: NO_TIME, enumerable: false });
  // The version of the header would add a kilobyte of metadata.
  inner._root.data.Version = '1.4';
  inner.page.dictionary.data.TrimBox = [bleed, bleed, bleed + width, bleed + height];
  drawScene(doc, scene, { xPt: bleed, yPt: bleed, widthPt: width }, inks);
  doc.end();
  return Uint8Array.from(doc.read() as Buffer);
};
