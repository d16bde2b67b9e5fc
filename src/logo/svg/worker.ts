import { parentPort, workerData } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { LogoVector } from '../../../workers/protocol.ts';
import { readThreadId } from '../../../workers/thread-time.ts';
import { MAX_SIDE_PX, type Size, scaleTo } from '../sniff.ts';
import { readSvg } from './check.ts';
import { vectorOf } from './paths.ts';

/** What the thread answers for one drawing. The PNG is transferred. */
export type SvgAnswer =
  | {
      readonly outcome: 'drawn';
      readonly png: Uint8Array;
      readonly natural: Size;
      /** The same as paths; `null` when it is more than plain paths. */
      readonly vector: LogoVector | null;
    }
  | { readonly outcome: 'refused'; readonly isSvg: boolean; readonly message: string }
  /** The rasteriser trapped (out of memory, out of stack, a panic): its state is lost with this thread. */
  | { readonly outcome: 'broken'; readonly reason: string };

/**
 * Longest side of a drawing with filters. A blur of 1024 px takes half a second in WebAssembly; 512 px take a fifth.
 */
const FILTERED_SIDE_PX = 512;

const rasterise = (markup: string) => {
  const drawing = new Resvg(markup, { font: { loadSystemFonts: false } });
  const image = drawing.render();
  const png = new Uint8Array(image.asPng());
  const vector = vectorOf(drawing.toString());
  image.free();
  drawing.free();
  return { png, vector };
};

/** Checks an untrusted SVG and draws it. The caller ends the thread when this takes too long. */
const draw = (svg: Uint8Array): SvgAnswer => {
  const read = readSvg(svg);
  if (!read.ok) return { outcome: 'refused', ...read.fault };
  const document = read.value;
  const { widthPx, heightPx } = document.size;
  const drawn = scaleTo(document.size, document.hasFilter ? FILTERED_SIDE_PX : MAX_SIDE_PX);
  try {
    const pictures = rasterise(document.markup(drawn.widthPx, drawn.heightPx));
    return { outcome: 'drawn', ...pictures, natural: { widthPx, heightPx } };
  } catch (error) {
    return { outcome: 'broken', reason: String(error) };
  }
};

const port = parentPort;
if (!port) throw new Error('svg/worker.ts runs only as a worker thread');
void initWasm(workerData).then(() => {
  port.on('message', (svg: Uint8Array) => {
    const answer = draw(svg);
    port.postMessage(answer, answer.outcome === 'drawn' ? [answer.png.buffer as ArrayBuffer] : []);
  });
  port.postMessage(readThreadId());
});
