import type { Box } from '../design/gradient.ts';
import type { Inks } from '../protocol.ts';
import type { Rgba } from './colors.ts';
import { writeHiddenText } from './pdf/hidden-text.ts';
import { drawLogo } from './pdf/logo.ts';
import { internalsOf, type PdfDocument, type PdfInternals, pdfPath, setColor } from './pdf/objects.ts';
import { inFrame, type Scene, type Shape, spreadOf } from './scene.ts';
import { type GradientFill, isGradient, type Shading, shadingOf, spaceOfShading } from './shading.ts';

/** Where a scene lies on a page, in points from its top left corner. The width is that of the canvas without bleed. */
export type Place = Readonly<Record<'xPt' | 'yPt' | 'widthPt', number>>;

/**
 * Draws a scene into a pdfkit document, its canvas scaled to `place`. Greys are K alone whatever the inks are;
 * transparency is kept. The graphics state is restored.
 */
export function drawScene(doc: PdfDocument, scene: Scene, place: Place, inks: Inks): void {
  const scale = place.widthPt / scene.widthPx;
  doc.save();
  doc.transform(scale, 0, 0, scale, place.xPt, place.yPt);
  for (const shape of scene.background === null ? scene.shapes : [scene.background, ...scene.shapes]) {
    drawShape(doc, shape, inks, spreadOf(scene));
  }
  if (scene.text !== null) writeHiddenText(doc, scene.text);
  if (scene.logo !== null) drawLogo(doc, scene.logo, inks);
  doc.restore();
}

function drawShape(doc: PdfDocument, shape: Shape, inks: Inks, canvas: Box): void {
  const { xPx, yPx, scalePx } = shape.frame;
  doc.save();
  doc.transform(scalePx, 0, 0, scalePx, xPx, yPx);
  const path = pdfPath(shape.path);
  if (isGradient(shape)) fillWithGradient(doc, path, shape, inFrame(canvas, shape.frame), inks);
  else {
    setColor(doc, shape.paint as string, inks, 'fill');
    internalsOf(doc).addContent(`${path}f*`);
  }
  doc.restore();
}

/**
 * Fills path data, already with the operators of PDF, with a gradient as a native shading in one colour space.
 * Translucent stops become a soft mask over `area`. Path and area are in the current units of
 * the document, whose graphics state changes.
 */
function fillWithGradient(
  doc: PdfDocument,
  path: string,
  fill: Shape & GradientFill,
  area: Box,
  inks: Inks,
): void {
  const inner = internalsOf(doc);
  const shading = shadingOf(fill, fill.frame);
  const space = spaceOfShading(shading, inks);
  const object = inner.ref(shadingObject(shading, space.name, space.componentsOf));
  object.end();
  const resources = inner.page.resources.data;
  resources.Shading ??= {};
  const shadings = resources.Shading as Record<string, unknown>;
  const name = `S${Object.keys(shadings).length + 1}`;
  shadings[name] = object;
  if (shading.stretches.some(({ colors }) => colors.some(({ alpha }) => alpha < 1))) {
    inner.addContent(`/${maskOf(inner, shading, area)} gs`);
  }
  // Ghostscript 10.0 applies a soft mask twice to a pattern, so the shading is clipped to the path.
  inner.addContent(`${path}W* n\n/${name} sh`);
}

/** Adds a soft mask with the alpha of a shading to the page, and returns the name of its graphics state. */
function maskOf(inner: PdfInternals, shading: Shading, { x, y, width, height }: Box): string {
  const form = inner.ref({
    ...{ Type: 'XObject', Subtype: 'Form', BBox: [x, y, x + width, y + height] },
    Group: { Type: 'Group', S: 'Transparency', CS: 'DeviceGray' },
    Resources: { Shading: { S: shadingObject(shading, 'DeviceGray', ({ alpha }) => [alpha]) } },
  });
  form.end('/S sh');
  const state = inner.ref({ Type: 'ExtGState', SMask: { Type: 'Mask', S: 'Luminosity', G: form } });
  state.end();
  const states = inner.page.ext_gstates;
  const name = `M${Object.keys(states).length + 1}`;
  states[name] = state;
  return name;
}

function shadingObject(
  { type, coords, stretches }: Shading,
  space: string,
  componentsOf: (color: Rgba) => number[],
): Record<string, unknown> {
  const functions = stretches.map(({ colors: [from, to] }) => ({
    ...{ FunctionType: 2, Domain: [0, 1], N: 1 },
    ...{ C0: componentsOf(from), C1: componentsOf(to) },
  }));
  return {
    ...{ ShadingType: type === 'linear' ? 2 : 3, ColorSpace: space },
    ...{ Coords: [...coords], Extend: [true, true] },
    Function: {
      ...{ FunctionType: 3, Domain: [0, 1], Functions: functions },
      Bounds: stretches.slice(1).map(({ from }) => from),
      Encode: stretches.flatMap(() => [0, 1]),
    },
  };
}
