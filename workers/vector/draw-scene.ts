import type { Box } from '../design/gradient.ts';
import type { Inks } from '../protocol.ts';
import { fillWithGradient } from './pdf/gradient.ts';
import { drawLogo } from './pdf/logo.ts';
import { internalsOf, type PdfDocument } from './pdf/objects.ts';
import { pdfPath, setColor } from './pdf/path.ts';
import { inFrame, type Scene, type Shape, spreadOf } from './scene.ts';
import { isGradient } from './shading.ts';

/** Where a scene lies on a page, in points from its top left corner. */
export interface Place {
  readonly xPt: number;
  readonly yPt: number;
  /** Width of the canvas, without its bleed. */
  readonly widthPt: number;
}

/**
 * Draws a scene into a pdfkit document, its canvas scaled to `place`. Opaque black is K alone whatever the inks are;
 * what is translucent stays so. It leaves the graphics state as it was.
 */
export function drawScene(doc: PdfDocument, scene: Scene, place: Place, inks: Inks): void {
  const scale = place.widthPt / scene.widthPx;
  doc.save();
  doc.transform(scale, 0, 0, scale, place.xPt, place.yPt);
  for (const shape of scene.background === null ? scene.shapes : [scene.background, ...scene.shapes]) {
    drawShape(doc, shape, inks, spreadOf(scene));
  }
  if (scene.logo !== null) drawLogo(doc, scene.logo, inks);
  doc.restore();
}

function drawShape(doc: PdfDocument, shape: Shape, inks: Inks, canvas: Box): void {
  const { xPx, yPx, scalePx } = shape.frame;
  doc.save();
  doc.transform(scalePx, 0, 0, scalePx, xPx, yPx);
  const path = pdfPath(shape.path);
  if (isGradient(shape)) {
    const { frame } = shape;
    fillWithGradient(doc, path, shape, { frame, area: inFrame(canvas, frame), inks });
  } else {
    setColor(doc, shape.paint as string, inks, 'fill');
    internalsOf(doc).addContent(`${path}f*`);
  }
  doc.restore();
}
