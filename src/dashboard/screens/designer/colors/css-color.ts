/** Colours as the browser reads them. */
import { parseCanvasColor, type Rgba } from './canvas-color.ts';

const canvas = document.createElement('canvas').getContext('2d');

const toRgba = (color: string): Rgba | null => {
  if (canvas === null || !CSS.supports('color', color)) return null;
  canvas.fillStyle = '#000';
  canvas.fillStyle = color;
  return parseCanvasColor(canvas.fillStyle);
};

const hex = (channel: number): string => Math.round(channel).toString(16).padStart(2, '0');

/**
 * Returns the colour as `#rrggbb`, the only form that a colour picker accepts, or `otherwise` when the text is not a
 * colour.
 */
export const toHex = (color: string, otherwise: string): string => {
  const rgba = toRgba(color);
  return rgba === null ? otherwise : `#${hex(rgba.red)}${hex(rgba.green)}${hex(rgba.blue)}`;
};
