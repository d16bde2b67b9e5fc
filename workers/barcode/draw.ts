/** Draws barcodes, and writes them in every format. The same task gives the same bytes. */
import { markLayer } from '../design/layers.ts';
import { boxPath } from '../design/markup.ts';
import { type Inks, isFault, type PrintPage, type RenderResult } from '../protocol.ts';
import { drawReference } from '../raster/png.ts';
import { withResolution } from '../raster/png-file.ts';
import { CANVAS, type Scene, textShape } from '../vector/scene.ts';
import { writeScene, writeSvg } from '../vector/vector.ts';
import { drawBars } from './bars.ts';
import { type Drawing, INK } from './drawing.ts';
import { pageOf } from './layout.ts';
import { drawMatrix } from './matrix.ts';
import { type BarcodeTask, isBars } from './protocol.ts';

const GROUND = '#ffffff';
const INKS: Inks = { color: 'rgb', paper: GROUND };

const sceneOf = ({ widthPx, heightPx, symbol, texts }: Drawing, { mark }: BarcodeTask): Scene => {
  const box = { x: 0, y: 0, width: widthPx, height: heightPx };
  const canvas = { widthPx, heightPx, background: { paint: GROUND, round: 0 } };
  const marks = mark === undefined ? [] : [{ ...markLayer(canvas, box), frame: CANVAS }];
  return {
    leftPx: 0,
    topPx: 0,
    widthPx,
    heightPx,
    code: box,
    bleedPx: 0,
    isSmooth: true,
    background: { path: boxPath(0, 0, widthPx, heightPx), paint: GROUND, box, frame: CANVAS },
    shapes: [...marks, symbol, ...texts.map((text) => textShape(text, INK, box))],
    logo: null,
    texts,
  };
};

const write = (scene: Scene, { format }: BarcodeTask, page: PrintPage): Uint8Array<ArrayBuffer> =>
  format === 'png'
    ? withResolution(drawReference(writeSvg(scene, null)), page.mmPerPx)
    : writeScene(scene, format, page, INKS);

/** Draws one barcode. Returns a fault when it cannot be drawn. Black modules of one size have no lower grade than 4. */
export const renderBarcode = (task: BarcodeTask): RenderResult => {
  const startedMs = performance.now();
  const drawing = isBars(task) ? drawBars(task) : drawMatrix(task);
  if (isFault(drawing)) return { ok: false, fault: drawing };
  const page = pageOf(task, drawing.scale, drawing);
  if (isFault(page)) return { ok: false, fault: page };
  const bytes = write(sceneOf(drawing, task), task, page);
  const sizeMm = { width: page.widthMm, height: page.heightMm, module: drawing.scale.moduleMm };
  const lane = task.format === 'png' ? 'reference' : 'vector';
  const renderMs = performance.now() - startedMs;
  return { ok: true, value: { bytes, lane, grade: 4, warnings: '', sizeMm, renderMs } };
};
