/** Draws planned pictures as SVG, PDF or EPS. The same plan gives the same bytes. */
import { fillAttributes } from '../design/fill.ts';
import { imageElement, svgElement, writeElement } from '../design/markup.ts';
import type { RenderPlan } from '../plan.ts';
import { MM_PER_INCH } from '../print/dots.ts';
import type { Inks, LogoVector, Page, PrintOptions, RenderTask } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { writeEps } from './eps.ts';
import { figureElement, formatNumber } from './path.ts';
import { writePdf } from './pdf.ts';
import { type Frame, type Scene, type Shape, sceneOf, spreadOf } from './scene.ts';

/**
 * Returns a scene as a stand-alone SVG document: in the pixels of the scene or, with a page, in its millimetres with
 * the bleed around it. The same scene gives the same document.
 */
export const writeSvg = (scene: Scene, page: Page | null): string => {
  const { widthPx, heightPx } = scene;
  const spread = spreadOf(scene);
  const definitions = new Map<string, string>();
  const shapes = [...(scene.background === null ? [] : [scene.background]), ...scene.shapes].map((shape) =>
    shapeElement(shape, definitions),
  );
  const root = {
    width: page === null ? widthPx : `${formatNumber(page.widthMm + 2 * page.bleedMm)}mm`,
    height: page === null ? heightPx : `${formatNumber(page.heightMm + 2 * page.bleedMm)}mm`,
    viewBox: [spread.x, spread.y, spread.width, spread.height].map((px) => formatNumber(px)).join(' '),
    'shape-rendering': scene.isSmooth ? null : 'crispEdges',
  };
  const defs = definitions.size === 0 ? [] : [writeElement('defs', {}, ...definitions.values())];
  return svgElement(root, ...defs, ...shapes, ...logoElement(scene));
};

const shapeElement = ({ paint, box, path, frame, rule }: Shape, definitions: Map<string, string>): string =>
  writeElement('path', {
    ...fillAttributes({ paint, box }, definitions, toPixels(frame)),
    'fill-rule': rule ?? 'evenodd',
    transform: fromPixels(frame),
    d: path,
  });

const fromPixels = ({ xPx, yPx, scalePx }: Frame): string | null => matrix(scalePx, xPx, yPx);

const toPixels = ({ xPx, yPx, scalePx }: Frame): string | null =>
  matrix(1 / scalePx, -xPx / scalePx, -yPx / scalePx);

/** Seven decimals keep a canvas of 2000 pixels exact to a thousandth. */
const matrix = (scale: number, x: number, y: number): string | null =>
  scale === 1 && x === 0 && y === 0
    ? null
    : `matrix(${[scale, 0, 0, scale, x, y].map((value) => formatNumber(value, 7)).join(' ')})`;

const logoElement = ({ logo }: Scene): string[] => {
  if (logo === null) return [];
  const { x, y, width, height } = logo.box;
  const place = {
    x: formatNumber(x, 3),
    y: formatNumber(y, 3),
    width: formatNumber(width, 3),
    height: formatNumber(height, 3),
  };
  const { vector, png } = logo.logo;
  return [vector === undefined ? imageElement(png, place) : vectorElement(vector, place)];
};

/** An inner document clips what is outside of it. */
const vectorElement = (
  { width, height, figures }: LogoVector,
  place: Readonly<Record<string, string>>,
): string =>
  writeElement(
    'svg',
    { ...place, viewBox: `0 0 ${formatNumber(width)} ${formatNumber(height)}`, preserveAspectRatio: 'none' },
    ...figures.map(figureElement),
  );

/** The default colours of a file. */
const SCREEN: PrintOptions = { page: null, inks: { color: 'rgb', paper: '#ffffff' } };

/** CSS pixels are 96 to the inch. */
const MM_PER_PX = MM_PER_INCH / 96;

/** Draws a picture as a file of vectors. The array owns its whole buffer. */
export const drawVector = (
  { design, logo, format, print = SCREEN }: RenderTask,
  plan: RenderPlan,
  symbol: QrSymbol,
): Uint8Array<ArrayBuffer> => {
  const { page, inks, around = null } = print;
  const bleedPx = page === null ? 0 : page.bleedMm / page.mmPerPx;
  return writeScene(sceneOf(plan, symbol, design, logo, bleedPx, around), format, page, inks);
};

/**
 * Writes a scene as a file of vectors in the size of a page; `null`: in pixels, 96 to the inch. The array owns its whole
 * buffer.
 */
export const writeScene = (
  scene: Scene,
  format: RenderTask['format'],
  page: Page | null,
  inks: Inks,
): Uint8Array<ArrayBuffer> => {
  if (format === 'svg') return new TextEncoder().encode(writeSvg(scene, page));
  const [widthMm, heightMm] = [scene.widthPx * MM_PER_PX, scene.heightPx * MM_PER_PX];
  const onPage: Page = page ?? { widthMm, heightMm, bleedMm: 0 };
  return format === 'pdf'
    ? writePdf(scene, onPage, inks)
    : new TextEncoder().encode(writeEps(scene, onPage, inks));
};
