import type { RenderPlan } from '../plan.ts';
import { MM_PER_INCH } from '../print/dots.ts';
import type { Page, PrintTerms, RenderTask } from '../protocol.ts';
import type { QrSymbol } from '../symbol/symbol.ts';
import { writeEps } from './eps.ts';
import { writePdf } from './pdf.ts';
import { sceneOf } from './scene.ts';
import { writeSvg } from './svg.ts';

/** The default colours of a file. */
const SCREEN: PrintTerms = { page: null, inks: { color: 'rgb', paper: '#ffffff' } };

/** CSS pixels are 96 to the inch. */
const MM_PER_PX = MM_PER_INCH / 96;

/** Draws a picture as a file of vectors. The array owns its whole buffer. */
export function drawVector(
  { design, logo, format, print = SCREEN }: RenderTask,
  plan: RenderPlan,
  symbol: QrSymbol,
): Uint8Array<ArrayBuffer> {
  const { page, inks, text = null } = print;
  const bleedPx = page === null ? 0 : page.bleedMm / page.mmPerPx;
  const scene = sceneOf(plan, symbol, design, logo, bleedPx, text);
  if (format === 'svg') return new TextEncoder().encode(writeSvg(scene, page));
  const [widthMm, heightMm] = [design.widthPx * MM_PER_PX, design.heightPx * MM_PER_PX];
  const onPage: Page = page ?? { widthMm, heightMm, bleedMm: 0 };
  return format === 'pdf'
    ? writePdf(scene, onPage, inks)
    : new TextEncoder().encode(writeEps(scene, onPage, inks));
}
