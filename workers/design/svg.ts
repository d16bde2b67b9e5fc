import type { RenderPlan } from '../plan.ts';
import type { Design, Logo } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { fillAttributes, isInvisible } from './fill.ts';
import { rounding } from './geometry.ts';
import { symbolLayers } from './layers.ts';
import { element } from './markup.ts';
import { formatPx } from './path.ts';

/**
 * Returns the picture as a stand-alone SVG document: background, one path for each fill, logo. The same input gives the
 * same document. `logo` must be the one that the plan was made for.
 */
export function composeSvg(plan: RenderPlan, symbol: QrSymbol, design: Design, logo: Logo | null): string {
  const { widthPx, heightPx, dots } = design;
  const definitions = new Map<string, string>();
  const shapes = [backgroundShape(design, definitions)];
  for (const layer of symbolLayers(design, plan.geometry, symbol)) {
    if (isInvisible(layer.paint)) continue;
    shapes.push(element('path', { ...fillAttributes(layer, definitions), d: layer.path }));
  }
  const root = {
    xmlns: 'http://www.w3.org/2000/svg',
    width: widthPx,
    height: heightPx,
    viewBox: `0 0 ${widthPx} ${heightPx}`,
    'shape-rendering': dots.roundSize ? null : 'crispEdges',
  };
  const defs = definitions.size === 0 ? '' : element('defs', {}, ...definitions.values());
  return element('svg', root, defs, ...shapes, logoImage(plan, logo));
}

/** Returns the whole canvas or, with round corners, the largest square in its middle; '' for an invisible paint. */
function backgroundShape(
  { widthPx, heightPx, background, dots }: Design,
  definitions: Map<string, string>,
): string {
  const { paint, round } = background;
  if (isInvisible(paint)) return '';
  const fill = fillAttributes({ paint, box: { x: 0, y: 0, width: widthPx, height: heightPx } }, definitions);
  if (round === 0) return element('rect', { width: widthPx, height: heightPx, ...fill });

  const side = Math.min(widthPx, heightPx);
  const place = rounding(dots);
  return element('rect', {
    x: formatPx(place((widthPx - side) / 2)),
    y: formatPx(place((heightPx - side) / 2)),
    width: side,
    height: side,
    rx: formatPx((side / 2) * round),
    ...fill,
  });
}

function logoImage({ geometry }: RenderPlan, logo: Logo | null): string {
  if (logo === null || geometry.logo === null) return '';
  const { x, y, width, height } = geometry.logo;
  return element('image', {
    x: formatPx(x),
    y: formatPx(y),
    width: formatPx(width),
    height: formatPx(height),
    href: `data:image/png;base64,${Buffer.from(logo.png).toString('base64')}`,
  });
}
