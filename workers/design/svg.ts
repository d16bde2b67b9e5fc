import type { RenderPlan } from '../plan.ts';
import { outlinePixels, PIXEL_UNITS } from '../print/pixel-letters.ts';
import type { Design, HexColor, Logo, Surround } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { colorAttributes, fillAttributes, isInvisible } from './fill.ts';
import { type Geometry, roundingOf } from './geometry.ts';
import { dotsFill, markLayer, symbolLayers } from './layers.ts';
import { formatPx, imageElement, svgElement, writeElement } from './markup.ts';

/** Where the canvas of a picture begins and ends. */
type Canvas = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

const canvasOf = ({ widthPx, heightPx }: Design, around: Surround | null): Canvas =>
  around === null
    ? { x: 0, y: 0, width: widthPx, height: heightPx }
    : {
        x: 0 - around.leftPx,
        y: 0 - around.topPx,
        width: widthPx + around.leftPx + around.rightPx,
        height: heightPx + around.topPx + around.bottomPx,
      };

/**
 * Returns the picture as a stand-alone SVG document: background, frame, mark, one path for each fill, texts, logo. The
 * same input gives the same document. `logo` must be the one that the plan was made for. What stands around makes the
 * canvas larger; no paint extends into the added part.
 */
export const composeSvg = (
  { geometry }: Pick<RenderPlan, 'geometry'>,
  symbol: QrSymbol,
  design: Design,
  logo: Logo | null,
  around: Surround | null = null,
): string => {
  const definitions = new Map<string, string>();
  const whole = canvasOf(design, around);
  const shapes = [backgroundShape(design, definitions, whole), ...frameElements(around)];
  const canvas = { x: 0, y: 0, width: design.widthPx, height: design.heightPx };
  const mark = design.mark === undefined ? [] : [markLayer(design, canvas)];
  for (const layer of [...mark, ...symbolLayers(design, geometry, symbol)]) {
    if (isInvisible(layer.paint)) continue;
    shapes.push(writeElement('path', { ...fillAttributes(layer, definitions), d: layer.path }));
  }
  shapes.push(...(around?.texts ?? []).map(textElement));
  const defs = definitions.size === 0 ? '' : writeElement('defs', {}, ...definitions.values());
  return documentOf(design, whole, defs, ...shapes, logoImage(geometry, logo));
};

/** Returns the same document with nothing but background and frame. */
export const composeFrame = (design: Design, around: Surround): string => {
  const whole = canvasOf(design, around);
  const definitions = new Map<string, string>();
  const background = backgroundShape(design, definitions, whole);
  const defs = definitions.size === 0 ? '' : writeElement('defs', {}, ...definitions.values());
  return documentOf(design, whole, defs, background, ...frameElements(around));
};

const frameElements = (around: Surround | null): readonly string[] => {
  if (around?.frame === undefined) return [];
  const { path, color } = around.frame;
  const fill = colorAttributes('fill', 'fill-opacity', color);
  return [writeElement('path', { ...fill, 'fill-rule': 'evenodd', d: path })];
};

const textElement = (text: Surround['texts'][number]): string =>
  writeElement('path', {
    ...colorAttributes('fill', 'fill-opacity', text.color),
    'fill-rule': 'nonzero',
    transform: `scale(${1 / PIXEL_UNITS})`,
    d: outlinePixels(text),
  });

/** Returns a document of the picture's size with only its logo, in place, over one colour. */
export const composeLogo = (design: Design, geometry: Geometry, logo: Logo, canvas: HexColor): string => {
  const { widthPx, heightPx } = design;
  const background = writeElement('rect', { width: widthPx, height: heightPx, fill: canvas });
  return documentOf(design, canvasOf(design, null), background, logoImage(geometry, logo));
};

/** Returns a document of the picture's size, filled with the paint of its dots. */
export const composeDotsPaint = (design: Design): string => {
  const { widthPx, heightPx } = design;
  const definitions = new Map<string, string>();
  const fill = fillAttributes(dotsFill(design), definitions);
  const canvas = writeElement('rect', { width: widthPx, height: heightPx, ...fill });
  const defs = writeElement('defs', {}, ...definitions.values());
  return documentOf(design, canvasOf(design, null), defs, canvas);
};

const documentOf = (
  { dots }: Design,
  { x, y, width, height }: Canvas,
  ...children: readonly string[]
): string => {
  const root = {
    width,
    height,
    viewBox: `${x} ${y} ${width} ${height}`,
    'shape-rendering': dots.roundSize ? null : 'crispEdges',
  };
  return svgElement(root, ...children);
};

/**
 * Returns the whole canvas or, with round corners, the largest square in the middle of the design; '' for an invisible
 * paint.
 */
const backgroundShape = (
  { widthPx, heightPx, background, dots }: Design,
  definitions: Map<string, string>,
  whole: Canvas,
): string => {
  const { paint, round } = background;
  if (isInvisible(paint)) return '';
  const fill = fillAttributes({ paint, box: { x: 0, y: 0, width: widthPx, height: heightPx } }, definitions);
  if (round === 0) {
    const { x, y, width, height } = whole;
    return writeElement('rect', { x: x === 0 ? null : x, y: y === 0 ? null : y, width, height, ...fill });
  }

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
