/** Draws a scene into a PDF. */

import { createRequire } from 'node:module';
import { deflateSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type PDFDocument from 'pdfkit';
import type { Box } from '../design/gradient.ts';
import { getOrMake } from '../kept.ts';
import { PT_PER_MM } from '../print/dots.ts';
import { outlineText, type PlacedOutline } from '../print/letters.ts';
import type { Inks, Logo, LogoFigure, LogoVector, Page, TextBlock } from '../protocol.ts';
import { alphaOf, componentsOf, isOverprinted, pixelsOf, type Rgba, rgbaOf, strokeState } from './colors.ts';
import { writeHiddenTexts } from './hidden-text.ts';
import {
  internalsOf,
  type PdfContent,
  type PdfDocument,
  type PdfInternals,
  type PdfReference,
  pdfPath,
  setColor,
  setInk,
  setOverprint,
} from './pdf-objects.ts';
import { type Plate, platesOf } from './plates.ts';
import { inFrame, type Scene, type Shape, spreadOf } from './scene.ts';
import { type GradientFill, isGradient, type Shading, shadingOf, spaceOfShading } from './shading.ts';

/** Draws a logo into its box: as paths where it has them, else as a bitmap with its transparency. */
const drawLogo = (doc: PdfDocument, { box, logo }: NonNullable<Scene['logo']>, inks: Inks): void => {
  doc.save();
  if (logo.vector === undefined) drawBitmap(doc, box, logo, inks);
  else drawVector(doc, box, logo.vector, inks);
  doc.restore();
};

const drawVector = (doc: PdfDocument, box: Box, { width, height, figures }: LogoVector, inks: Inks): void => {
  doc.rect(box.x, box.y, box.width, box.height).clip();
  doc.transform(box.width / width, 0, 0, box.height / height, box.x, box.y);
  for (const figure of figures) drawFigure(doc, figure, inks);
};

const drawFigure = (doc: PdfDocument, { path, color, rule, stroke }: LogoFigure, inks: Inks): void => {
  doc.save();
  setColor(doc, color, inks, stroke === undefined ? 'fill' : 'stroke');
  const operator = stroke === undefined ? (rule === 'evenodd' ? 'f*' : 'f') : 'S';
  internalsOf(doc).addContent(
    `${stroke === undefined ? '' : `${strokeState(stroke, ['w', 'J', 'j', 'M'])}\n`}${pdfPath(path)}${operator}`,
  );
  doc.restore();
};

/** The bitmaps of a document, so that a logo that is drawn many times is in the file once. */
const bitmaps = new WeakMap<PdfDocument, Map<Logo, PdfReference>>();

const drawBitmap = (doc: PdfDocument, box: Box, logo: Logo, inks: Inks): void => {
  const known = getOrMake(bitmaps, doc, () => new Map<Logo, PdfReference>());
  const image = getOrMake(known, logo, () => writeBitmap(doc, logo, inks));
  const { page } = internalsOf(doc);
  const name = `L${Object.keys(page.xobjects).length + 1}`;
  page.xobjects[name] = image;
  // Pictures are upside down on a page whose y axis points down.
  doc.transform(box.width, 0, 0, -box.height, box.x, box.y + box.height);
  internalsOf(doc).addContent(`/${name} Do`);
};

const writeBitmap = (doc: PdfDocument, logo: Logo, inks: Inks): PdfReference => {
  const pixels = pixelsOf(logo);
  const common = {
    Type: 'XObject',
    Subtype: 'Image',
    BitsPerComponent: 8,
    Width: pixels.widthPx,
    Height: pixels.heightPx,
  };
  const inner = internalsOf(doc);
  const alpha = alphaOf(pixels);
  const mask = alpha && inner.ref({ ...common, ColorSpace: 'DeviceGray' });
  mask?.end(alpha!);
  const { space, bytes } = componentsOf(pixels, inks);
  const image = inner.ref({ ...common, ColorSpace: space.name, ...(mask && { SMask: mask }) });
  image.end(bytes);
  return image;
};

/** Where a scene lies on a page, in points from its top left corner. The width is that of the canvas without bleed. */
type Place = Readonly<Record<'xPt' | 'yPt' | 'widthPt', number>>;

/**
 * Draws a scene into a pdfkit document, its canvas scaled to `place`. Greys are K alone whatever the inks are;
 * transparency is kept. The graphics state is restored.
 */
export const drawScene = (doc: PdfDocument, scene: Scene, place: Place, inks: Inks): void => {
  const scale = place.widthPt / scene.widthPx;
  doc.save();
  doc.transform(scale, 0, 0, scale, place.xPt - scale * scene.leftPx, place.yPt - scale * scene.topPx);
  for (const shape of scene.background === null ? scene.shapes : [scene.background, ...scene.shapes]) {
    drawShape(doc, shape, inks, spreadOf(scene), shape !== scene.background);
  }
  writeHiddenTexts(doc, scene.texts);
  if (scene.logo !== null) drawLogo(doc, scene.logo, inks);
  doc.restore();
};

/** @param isAbove Whether something may be below. */
const drawShape = (doc: PdfDocument, shape: Shape, inks: Inks, canvas: Box, isAbove: boolean): void => {
  const { xPx, yPx, scalePx } = shape.frame;
  doc.save();
  doc.transform(scalePx, 0, 0, scalePx, xPx, yPx);
  if (isGradient(shape))
    fillWithGradient(doc, pdfPath(shape.path), shape, inFrame(canvas, shape.frame), inks);
  else {
    const paint = shape.paint as string;
    if (isAbove && isOverprinted(rgbaOf(paint), inks)) setOverprint(doc);
    setColor(doc, paint, inks, 'fill');
    const fill = shape.rule === 'nonzero' ? 'f' : 'f*';
    internalsOf(doc).addContent(
      shape.letters === undefined ? `${pdfPath(shape.path)}${fill}` : fillLetters(shape.letters, fill),
    );
  }
  doc.restore();
};

/** The paths of letters with the operators of PDF. A font of Chinese has more than are kept. */
const KEPT_PATHS = 4000;
const letterPaths = new LRUCache<string, string>({ max: KEPT_PATHS });

/** Fills letters one by one, each moved to its place, so that their paths need not be written again. */
const fillLetters = (letters: readonly PlacedOutline[], fill: string): string =>
  letters
    .map(({ x, y, path }) => {
      const written = getOrMake(letterPaths, path, () => pdfPath(`M0 0${path}`));
      return `q 1 0 0 1 ${x} ${y} cm\n${written}${fill}\nQ`;
    })
    .join('\n');

/** Fills the letters of a text in the colour of the document, and in the units of the page. */
export const fillText = (doc: PdfDocument, text: TextBlock): void => {
  const { letters, scalePx } = outlineText(text);
  doc.save();
  doc.transform(scalePx, 0, 0, scalePx, 0, 0);
  internalsOf(doc).addContent(fillLetters(letters, 'f'));
  doc.restore();
};

const drawPlate = (doc: PdfDocument, { name, instead, path, strokePx }: Plate): void => {
  doc.save();
  setOverprint(doc);
  setInk(doc, name, instead, strokePx === null ? 'fill' : 'stroke');
  internalsOf(doc).addContent(
    strokePx === null ? `${pdfPath(path)}f*` : `${strokePx.toFixed(4)} w\n${pdfPath(path)}S`,
  );
  doc.restore();
};

/**
 * Fills path data, already with the operators of PDF, with a gradient as a native shading in one colour space.
 * Translucent stops become a soft mask over `area`. Path and area are in the current units of
 * the document, whose graphics state changes.
 */
const fillWithGradient = (
  doc: PdfDocument,
  path: string,
  fill: Shape & GradientFill,
  area: Box,
  inks: Inks,
): void => {
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
};

/** Adds a soft mask with the alpha of a shading to the page, and returns the name of its graphics state. */
const maskOf = (inner: PdfInternals, shading: Shading, { x, y, width, height }: Box): string => {
  const form = inner.ref({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [x, y, x + width, y + height],
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
};

const shadingObject = (
  { type, coords, stretches }: Shading,
  space: string,
  componentsOf: (color: Rgba) => number[],
): Record<string, unknown> => {
  const functions = stretches.map(({ colors: [from, to] }) => ({
    FunctionType: 2,
    Domain: [0, 1],
    N: 1,
    C0: componentsOf(from),
    C1: componentsOf(to),
  }));
  return {
    ShadingType: type === 'linear' ? 2 : 3,
    ColorSpace: space,
    Coords: [...coords],
    Extend: [true, true],
    Function: {
      FunctionType: 3,
      Domain: [0, 1],
      Functions: functions,
      Bounds: stretches.slice(1).map(({ from }) => from),
      Encode: stretches.flatMap(() => [0, 1]),
    },
  };
};

/** Of paths with many letters this makes 4 % more bytes than pdfkit's level, in less than half the time. */
const DEFLATE = { level: 4 };
/** Content of fewer bytes is left to pdfkit. */
const PACKED_FROM_BYTES = 8192;

/** Compresses the content of a page. */
const pack = (content: PdfContent): void => {
  if (content.uncompressedLength < PACKED_FROM_BYTES) return;
  content.buffer = [deflateSync(Buffer.concat(content.buffer), DEFLATE)];
  content.compress = false;
};

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
  doc.transform(width / scene.widthPx, 0, 0, width / scene.widthPx, bleed, bleed);
  for (const plate of platesOf(scene, page, inks)) drawPlate(doc, plate);
  pack(inner.page.content);
  doc.end();
  return Uint8Array.from(doc.read() as Buffer);
};
