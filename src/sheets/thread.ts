/** The thread of a document of sheets. */
import { createRequire } from 'node:module';
import type { SheetAnswer, SheetOrder, SheetSettings } from '../../workers/sheets/protocol.ts';
import { type AskedThread, startThread } from '../asked-thread.ts';
import type { Sheet } from './sheet.ts';

/** DejaVu Sans Condensed: Latin, Greek, Cyrillic and many signs. Its licence permits redistribution and embedding. */
const FONT_PATH = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf');
const MAX_HEAP_MB = 256;

/** Starts the thread of one document, which has the lowest priority. @param title That of the document's properties. */
export const startSheetThread = (sheet: Sheet, title: string): AskedThread<SheetOrder, SheetAnswer> => {
  const { grid, outsetMm, bleedMm, label, isForTill, marks } = sheet;
  const { widthMm, heightMm } = grid;
  const workerData: SheetSettings = {
    ...{ title, widthMm, heightMm, outsetMm, bleedMm, label, isForTill, marks },
    fontPath: FONT_PATH,
  };
  const module = new URL('../../workers/sheets/worker', import.meta.url);
  return startThread<SheetOrder, SheetAnswer>(module, { workerData, maxHeapMb: MAX_HEAP_MB });
};
