import { crc32 } from 'node:zlib';
import type { Gradient, HexColor, Paint } from '../protocol.ts';
import { type Box, formatRatio, linearEnds, radialCircle, visibleStops } from './gradient.ts';
import { formatPx, writeElement } from './markup.ts';

/** A colour, or a gradient and the box that it spans. */
export interface Fill {
  readonly paint: Paint;
  readonly box: Box;
}

type Attributes = Readonly<Record<string, string | null>>;

/** Whether a paint is fully transparent. */
export const isInvisible = (paint: Paint): boolean =>
  typeof paint === 'string'
    ? paint.length === 9 && paint.endsWith('00')
    : paint.colorStops.every(({ color }) => isInvisible(color));

/**
 * Returns the attributes that fill a shape. Adds the definition of a gradient to `definitions` under its id. `toPixels`
 * is the transform from the units of the shape to pixels, where they differ.
 */
export const fillAttributes = (
  { paint, box }: Fill,
  definitions: Map<string, string>,
  toPixels: string | null = null,
): Attributes => {
  if (typeof paint === 'string') return colorAttributes('fill', 'fill-opacity', paint);
  // The id is a hash of the definition, so that documents in one page do not pick up each other's gradients.
  const id = `g${crc32(JSON.stringify({ paint, box }) + (toPixels ?? '')).toString(36)}`;
  definitions.set(id, gradientElement(id, paint, box, toPixels));
  return { fill: `url(#${id})` }; // without quotes: resvg does not understand a quoted reference
};

const gradientElement = (id: string, gradient: Gradient, box: Box, toPixels: string | null): string => {
  const stops = visibleStops(gradient).map(({ offset, color }) =>
    writeElement('stop', {
      offset: formatRatio(offset),
      ...colorAttributes('stop-color', 'stop-opacity', color),
    }),
  );
  const common = { id, gradientUnits: 'userSpaceOnUse', gradientTransform: toPixels };
  if (gradient.type === 'linear') {
    return writeElement('linearGradient', { ...common, ...linearEnds(box, gradient.rotationRad) }, ...stops);
  }
  const { cx, cy, r } = radialCircle(box);
  const circle = { cx: formatPx(cx), cy: formatPx(cy), r: formatPx(r) };
  return writeElement('radialGradient', { ...common, ...circle }, ...stops);
};

/** Writes the opacity as an attribute of its own, since not every SVG reader knows `#rrggbbaa`. */
export const colorAttributes = (colorName: string, opacityName: string, color: HexColor): Attributes => {
  const opacity = color.length === 9 ? formatRatio(Number.parseInt(color.slice(7), 16) / 255) : '1';
  return { [colorName]: color.slice(0, 7), [opacityName]: opacity === '1' ? null : opacity };
};
