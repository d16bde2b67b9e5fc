/** Vector files look like the PNG: random designs, rendered by other programs at the size of the picture. */

import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import t from 'tap';
import { planRender } from '../../workers/plan.ts';
import { type Design, isFault, type Paint, type RenderTask } from '../../workers/protocol.ts';
import { render } from '../../workers/render.ts';
import { legalDesigns, type Shades } from '../support/pictures/designs.ts';
import { ghostscripts, type Print, poppler, printOf } from '../support/pictures/print.ts';

const SHADES: Shades = { from: 0, to: 256, translucent: true };
const SIDE_MIN_PX = 180;
const SIDE_MAX_PX = 420;
/** Out of 255: how far renderers may differ in blending. */
const TOLERANCE = 20;
/** One pixel per CSS pixel. */
const DPI = 96;
const RUNS = 24;
/** At a sharp edge in a gradient, renderers differ by a pixel. */
const STRANGE_MAX = 0.01;
/** Shapes of only a few pixels have no pixel that lies fully inside. */
const MODULE_MIN_PX = 4;
const TEXT = 'tessera';

const bytesOf = (task: RenderTask): Uint8Array => {
  const drawn = render(task);
  if (!drawn.ok) throw new Error('a design with a valid plan cannot be drawn');
  return drawn.value.bytes;
};

/** Returns 0 for a design that cannot be drawn. */
const modulePxOf = (design: Design): number => {
  const plan = planRender(TEXT, design, null);
  return isFault(plan) ? 0 : plan.geometry.modulePx;
};

/**
 * The share of pixels whose colour in the print neither equals the same pixel of the picture nor lies between that
 * pixel and its neighbours. Anti-aliased edges therefore do not count. Pixels at the edge of the page are ignored,
 * because renderers round the page size differently.
 */
function strangeShare(print: Print, picture: Print): number {
  const { width, height } = picture;
  if (print.width !== width || print.height !== height) return 1;
  let strange = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) if (isStrange(print, picture, x, y)) strange += 1;
  }
  return strange / (width * height);
}

function isStrange({ rgb }: Print, picture: Print, x: number, y: number): boolean {
  const { width, height } = picture;
  const at = (y * width + x) * 3;
  for (let channel = 0; channel < 3; channel += 1) {
    const value = rgb[at + channel]!;
    if (Math.abs(value - picture.rgb[at + channel]!) <= TOLERANCE) continue;
    let [least, most] = [255, 0];
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
        const near = picture.rgb[(row * width + column) * 3 + channel]!;
        least = Math.min(least, near);
        most = Math.max(most, near);
      }
    }
    if (value < least - TOLERANCE || value > most + TOLERANCE) return true;
  }
  return false;
}

const isTranslucentGradient = (paint: Paint | null): boolean =>
  paint !== null && typeof paint !== 'string' && paint.colorStops.some(({ color }) => color.length > 7);

/** A translucent gradient over another gradient is sampled in an EPS, so that sharp changes of colour are inexact. */
const isSampled = ({ background, dots, cornersSquare, cornersDot }: Design): boolean =>
  typeof background.paint !== 'string' &&
  [dots, cornersSquare, cornersDot].some(({ paint }) => isTranslucentGradient(paint));

const designs = legalDesigns(SHADES, SHADES)
  .map(
    (design): Design => ({
      ...design,
      widthPx: SIDE_MIN_PX + (design.widthPx % (SIDE_MAX_PX - SIDE_MIN_PX)),
      heightPx: SIDE_MIN_PX + (design.heightPx % (SIDE_MAX_PX - SIDE_MIN_PX)),
      symbol: { typeNumber: 0, mode: null, levels: ['Q', 'M', 'L'] },
    }),
  )
  .filter((design) => modulePxOf(design) >= MODULE_MIN_PX);

t.test('vector files differ from the PNG only by anti-aliased edges', async (t) => {
  const rule = fc.asyncProperty(designs, async (design) => {
    const task = { text: TEXT, design, logo: null } as const;
    const picture = await printOf(bytesOf({ ...task, format: 'png' }));
    const pdf = bytesOf({ ...task, format: 'pdf' });
    const svg = new TextDecoder().decode(bytesOf({ ...task, format: 'svg' }));
    const [ofPdf, ofEps] = await ghostscripts([pdf, bytesOf({ ...task, format: 'eps' })], DPI);
    const prints: Record<string, Print> = {
      'SVG, resvg': await printOf(new Resvg(svg).render().asPng()),
      'PDF, Ghostscript': ofPdf!,
      'PDF, Poppler': await poppler(pdf, DPI),
      ...(isSampled(design) ? {} : { 'EPS, Ghostscript': ofEps! }),
    };
    for (const [name, print] of Object.entries(prints)) {
      const share = strangeShare(print, picture);
      if (share > STRANGE_MAX) throw new Error(`${name}: ${(100 * share).toFixed(2)} % of the pixels differ`);
    }
  });
  await t.resolves(fc.assert(rule, { numRuns: RUNS, endOnFailure: true }));
});
