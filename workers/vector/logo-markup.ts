/** The paths of a logo as SVG: within a picture, and as a document of its own. */
import { writeElement } from '../design/markup.ts';
import type { LogoFigure, LogoVector } from '../protocol.ts';
import { formatNumber } from './path.ts';

/** Returns one path of a logo as an element. */
export function figureElement({ path, color, rule, stroke }: LogoFigure): string {
  const opacity = color.length === 9 ? formatNumber(Number.parseInt(color.slice(7), 16) / 255) : null;
  const rgb = color.slice(0, 7);
  if (stroke === undefined) {
    return writeElement('path', {
      ...{ fill: rgb, 'fill-opacity': opacity },
      ...{ 'fill-rule': rule === 'evenodd' ? rule : null, d: path },
    });
  }
  return writeElement('path', {
    ...{ fill: 'none', stroke: rgb, 'stroke-opacity': opacity, 'stroke-width': stroke.width },
    'stroke-linecap': stroke.cap,
    'stroke-linejoin': stroke.join,
    'stroke-miterlimit': stroke.miterLimit,
    d: path,
  });
}

/** Returns the paths of a logo as a separate document. @param natural The size from which the logo is scaled. */
export const writeLogo = (
  { width, height, figures }: LogoVector,
  natural: { readonly widthPx: number; readonly heightPx: number },
): string =>
  writeElement(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', width: natural.widthPx, height: natural.heightPx },
      viewBox: `0 0 ${formatNumber(width)} ${formatNumber(height)}`,
    },
    ...figures.map(figureElement),
  );
