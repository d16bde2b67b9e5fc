import type { Box } from '../../design/gradient.ts';
import { getOrMake } from '../../kept.ts';
import type { Inks, Logo, LogoFigure, LogoVector } from '../../protocol.ts';
import { alphaOf, componentsOf, pixelsOf, strokeState } from '../logo.ts';
import type { Scene } from '../scene.ts';
import { internalsOf, type PdfDocument, type PdfReference, pdfPath, setColor } from './objects.ts';

/** Draws a logo into its box: as paths where it has them, else as a bitmap with its transparency. */
export function drawLogo(doc: PdfDocument, { box, logo }: NonNullable<Scene['logo']>, inks: Inks): void {
  doc.save();
  if (logo.vector === undefined) drawBitmap(doc, box, logo, inks);
  else drawVector(doc, box, logo.vector, inks);
  doc.restore();
}

function drawVector(doc: PdfDocument, box: Box, { width, height, figures }: LogoVector, inks: Inks): void {
  doc.rect(box.x, box.y, box.width, box.height).clip();
  doc.transform(box.width / width, 0, 0, box.height / height, box.x, box.y);
  for (const figure of figures) drawFigure(doc, figure, inks);
}

function drawFigure(doc: PdfDocument, { path, color, rule, stroke }: LogoFigure, inks: Inks): void {
  doc.save();
  setColor(doc, color, inks, stroke === undefined ? 'fill' : 'stroke');
  const operator = stroke === undefined ? (rule === 'evenodd' ? 'f*' : 'f') : 'S';
  internalsOf(doc).addContent(
    `${stroke === undefined ? '' : `${strokeState(stroke, ['w', 'J', 'j', 'M'])}\n`}${pdfPath(path)}${operator}`,
  );
  doc.restore();
}

/** The bitmaps of a document, so that a logo that is drawn many times is in the file once. */
const bitmaps = new WeakMap<PdfDocument, Map<Logo, PdfReference>>();

function drawBitmap(doc: PdfDocument, box: Box, logo: Logo, inks: Inks): void {
  const known = getOrMake(bitmaps, doc, () => new Map<Logo, PdfReference>());
  const image = getOrMake(known, logo, () => writeBitmap(doc, logo, inks));
  const { page } = internalsOf(doc);
  const name = `L${Object.keys(page.xobjects).length + 1}`;
  page.xobjects[name] = image;
  // Pictures are upside down on a page whose y axis points down.
  doc.transform(box.width, 0, 0, -box.height, box.x, box.y + box.height);
  internalsOf(doc).addContent(`/${name} Do`);
}

function writeBitmap(doc: PdfDocument, logo: Logo, inks: Inks): PdfReference {
  const pixels = pixelsOf(logo);
  const common = {
    ...{ Type: 'XObject', Subtype: 'Image', BitsPerComponent: 8 },
    ...{ Width: pixels.widthPx, Height: pixels.heightPx },
  };
  const inner = internalsOf(doc);
  const alpha = alphaOf(pixels);
  const mask = alpha && inner.ref({ ...common, ColorSpace: 'DeviceGray' });
  mask?.end(alpha!);
  const { space, bytes } = componentsOf(pixels, inks);
  const image = inner.ref({ ...common, ColorSpace: space.name, ...(mask && { SMask: mask }) });
  image.end(bytes);
  return image;
}
