/** The cases that `npm run bench:render` measures. */

import { Resvg } from '@resvg/resvg-js';
import QRCode from 'qrcode';
import sharp from 'sharp';
import { toDesign } from '../../src/generate/request/design.ts';
import { composeSvg } from '../../workers/design/svg.ts';
import { isFault } from '../../workers/fault.ts';
import { planRender } from '../../workers/plan.ts';
import type { Design, Gradient, Lane, Logo } from '../../workers/protocol.ts';
import { drawReference } from '../../workers/raster/reference.ts';
import { render } from '../../workers/render.ts';
import { fitSymbol } from '../../workers/symbol/fit.ts';
import { createSymbol } from '../../workers/symbol/symbol.ts';

/** Something to draw or make, repeatedly. */
export interface Case {
  readonly name: string;
  readonly textLength: number;
  /** 0 when only a symbol is made. */
  readonly widthPx: number;
  /** Draws a picture, or makes a symbol. */
  run(): object | Promise<Uint8Array>;
}

/** Lengths of the encoded texts in characters. */
export const TEXT_LENGTHS = [25, 60, 300, 2000] as const;
/** Widths of the pictures, which are square. */
export const WIDTHS_PX = [300, 1000, 2000] as const;

const GRADIENT: Gradient = {
  type: 'linear',
  rotationRad: 0.6,
  colorStops: [
    { offset: 0, color: '#102a43' },
    { offset: 1, color: '#b83280' },
  ],
};

const PLAIN: Omit<Design, 'widthPx' | 'heightPx'> = toDesign({});
const STYLED: typeof PLAIN = {
  ...PLAIN,
  dots: { type: 'rounded', paint: '#1a3a6b', roundSize: true },
  cornersSquare: { type: 'extra-rounded', paint: '#aa2233' },
  cornersDot: { type: 'extra-rounded', paint: '#22884a' },
};
const SHADED: typeof PLAIN = { ...STYLED, dots: { ...STYLED.dots, paint: GRADIENT } };

/** A tick on a disc: two colours with smooth edges. */
const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128">
  <circle cx="64" cy="64" r="62" fill="#e5484d"/>
  <path d="M36 66l20 20 38-42" fill="none" stroke="#fff" stroke-width="12"/>
</svg>`;
const LOGO: Logo = await sharp(Buffer.from(LOGO_SVG))
  .png()
  .toBuffer({ resolveWithObject: true })
  .then(({ data, info }) => ({ png: data, widthPx: info.width, heightPx: info.height }));

/** Enlarged, the logo's edges have too many colours for a palette. */
const LOGO_LANES: readonly Lane[] = ['stamped', 'layered'];

/** Returns an address of that many characters, the same every time. */
export function textOf(length: number): string {
  const start = 'https://example.com/p?id=';
  let text = start;
  for (let i = 1; text.length < length; i += 1) text += (Math.imul(i, 0x9e3779b1) >>> 8).toString(36);
  return text.slice(0, length);
}

/** Returns all cases for one text length. Cases that are compared are neighbours, so that they alternate. */
export function casesOf(textLength: number): readonly Case[] {
  const text = textOf(textLength);
  const cases: Case[] = [];
  const add = (name: string, widthPx: number, run: Case['run']) =>
    cases.push({ name, textLength, widthPx, run });

  const plan = fitSymbol(text, PLAIN.symbol);
  if (isFault(plan)) throw new Error(plan.message);
  add('symbol', 0, () => createSymbol(text, plan));
  add('QRCode.create', 0, () => QRCode.create(text, { errorCorrectionLevel: plan.level }));
  for (const widthPx of WIDTHS_PX) {
    const design = (look: typeof PLAIN): Design => ({ ...look, widthPx, heightPx: widthPx });
    add('plain', widthPx, () => inLane('plain', text, design(PLAIN)));
    add('plain, by reference', widthPx, () => byReference(text, design(PLAIN)));
    add('stamped', widthPx, () => inLane('stamped', text, design(STYLED)));
    add('stamped, by reference', widthPx, () => byReference(text, design(STYLED)));
    add('logo', widthPx, () => inLane(LOGO_LANES, text, design(STYLED), LOGO));
    add('logo, by reference', widthPx, () => byReference(text, design(STYLED), LOGO));
    add('gradient', widthPx, () => inLane('layered', text, design(SHADED)));
    add('gradient, by reference', widthPx, () => byReference(text, design(SHADED)));
    add('gradient, logo', widthPx, () => inLane('layered', text, design(SHADED), LOGO));
    add('gradient, logo, by reference', widthPx, () => byReference(text, design(SHADED), LOGO));
    const svg = svgOf(text, design(SHADED), null);
    add('gradient, resvg alone', widthPx, () => resvgAlone(svg));
    const options = { errorCorrectionLevel: plan.level, width: widthPx } as const;
    add('qrcode.toBuffer', widthPx, () => QRCode.toBuffer(text, options));
  }
  return cases;
}

/** Does everything that a render task does. @throws When the picture was drawn in another lane. */
function inLane(
  lanes: Lane | readonly Lane[],
  text: string,
  design: Design,
  logo: Logo | null = null,
): Uint8Array {
  const result = render({ text, design, logo, format: 'png' });
  if (!result.ok || ![lanes].flat().includes(result.value.lane)) throw new Error(`not drawn in ${lanes}`);
  return result.value.bytes;
}

const byReference = (text: string, design: Design, logo: Logo | null = null): Uint8Array =>
  drawReference(svgOf(text, design, logo));

function svgOf(text: string, design: Design, logo: Logo | null): string {
  const plan = planRender(text, design, logo);
  if (isFault(plan)) throw new Error(plan.message);
  return composeSvg(plan, createSymbol(text, plan.symbol), design, logo);
}

/** Returns the PNG file that resvg writes itself. */
const resvgAlone = (svg: string): Uint8Array =>
  new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng();
