import { Resvg } from '@resvg/resvg-js';
import type { Logo } from '../../../workers/protocol.ts';

/** Draws an SVG at its own size with resvg, since the service forbids sharp to read SVGs in its process. */
export const logoOfSvg = (svg: string): Logo => {
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return { png: drawn.asPng(), widthPx: drawn.width, heightPx: drawn.height };
};

/** A rectangle of one colour with a white disc of 50 px in its corner. */
export const discLogo = (widthPx: number, heightPx: number, fill: string): Logo => {
  const size = `width="${widthPx}" height="${heightPx}"`;
  return logoOfSvg(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="${fill}"/><circle cx="30" cy="30" r="25" fill="#fff"/></svg>`,
  );
};
