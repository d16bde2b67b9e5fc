import type { RenderPlan } from '../plan.ts';
import { outlineText, textPaint } from '../print/letters.ts';
import type { Design, HexColor, Logo, TextBlock } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { colorAttributes, fillAttributes, isInvisible } from './fill.ts';
import { type Geometry, roundingOf } from './geometry.ts';
import { dotsFill, markLayer, symbolLayers } from './layers.ts';
import { formatPx, imageElement, svgElement, writeElement } from './markup.ts';

/**
 * Returns the picture as a stand-alone SVG document: background, mark, one path for each fill, text, logo. The same input
 * gives the same document. `logo` must be the one that the plan was made for. Text makes the canvas taller; no paint
 * extends into the added height.
 */
export const composeSvg = (
  { geometry }: Pick<RenderPlan, 'geometry'>,
  symbol: QrSymbol,
  design: Design,
  logo: Logo | null,
  text: TextBlock | null = null,
): string => {
  const definitions = new Map<string, string>();
  const heightPx = design.heightPx + (text?.heightPx ?? 0);
  const shapes = [backgroundShape(design, definitions, heightPx)];
  const canvas = { x: 0, y: 0, width: design.widthPx, height: design.heightPx };
  const mark = design.mark === undefined ? [] : [markLayer(design, canvas)];
  for (const layer of [...mark, ...symbolLayers(design, geometry, symbol)]) {
    if (isInvisible(layer.paint)) continue;
    shapes.push(writeElement('path', { ...fillAttributes(layer, definitions), d: layer.path }));
  }
  if (text !== null) shapes.push(textElement(design, text));
  const defs = definitions.size === 0 ? '' : writeElement('defs', {}, ...definitions.values());
  return documentOf({ ...design, heightPx }, defs, ...shapes, logoImage(geometry, logo));
};

const textElement = (design: Design, text: TextBlock): string => {
  const { path, scalePx } = outlineText(text);
  return writeElement('path', {
    ...colorAttributes('fill', 'fill-opacity', textPaint(design)),
    'fill-rule': 'evenodd',
    transform: `scale(${scalePx})`,
    d: path,
  });
};

/** Returns a document of the picture's size with only its logo, in place, over one colour. */
export const composeLogo = (design: Design, geometry: Geometry, logo: Logo, canvas: HexColor): string => {
  const { widthPx, heightPx } = design;
  const background = writeElement('rect', { width: widthPx, height: heightPx, fill: canvas });
  return documentOf(design, background, logoImage(geometry, logo));
};

/** Returns a document of the picture's size, filled with the paint of its dots. */
export const composeDotsPaint = (design: Design): string => {
  const { widthPx, heightPx } = design;
  const definitions = new Map<string, string>();
  const fill = fillAttributes(dotsFill(design), definitions);
  const canvas = writeElement('rect', { width: widthPx, height: heightPx, ...fill });
  return documentOf(design, writeElement('defs', {}, ...definitions.values()), canvas);
};

const documentOf = ({ widthPx, heightPx, dots }: Design, ...children: readonly string[]): string => {
  const root = {
    width: widthPx,
    height: heightPx,
    viewBox: `0 0 ${widthPx} ${heightPx}`,
    'shape-rendering': dots.roundSize ? null : 'crispEdges',
  };
  return svgElement(root, ...children);
};

/**
 * Returns the whole canvas with the text below or, with round corners, the largest square in the middle of the canvas;
 * '' for an invisible paint.
 */
const backgroundShape = (
  { widthPx, heightPx, background, dots }: Design,
  definitions: Map<string, string>,
  wholeHeightPx: number,
): string => {
  const { paint, round } = background;
  if (isInvisible(paint)) return '';
  const fill = fillAttributes({ paint, box: { x: 0, y: 0, width: widthPx, height: heightPx } }, definitions);
  if (round === 0) return writeElement('rect', { width: widthPx, height: wholeHeightPx, ...fill });

  const side = Math.min(widthPx, heightPx);
  const place = roundingOf(dots);
  return writeElement('rect', {
    x: formatPx(place((widthPx - side) / 2)),
    y: formatPx(place((heightPx - side) / 2)),
    width: side,
    height: side,
    rx: formatPx((side / 2) * round),
    ...fill,
  });
};

const logoImage = (geometry: Geometry, logo: Logo | null): string => {
  if (logo === null || geometry.logo === null) return '';
  const { x, y, width, height } = geometry.logo;
  return imageElement(logo.png, {
    x: formatPx(x),
    y: formatPx(y),
    width: formatPx(width),
    height: formatPx(height),
  });
};
