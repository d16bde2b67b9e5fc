/**
 * The entry point of a thread that writes one document: it checks labels, draws a page for each order, and then ends
 * the file.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openDocument } from './document.ts';
import { openPrinterDocument } from './printer/document.ts';
import { EPL } from './printer/epl.ts';
import { ZPL } from './printer/zpl.ts';
import type { SheetAnswer, SheetOrder, SheetSettings } from './protocol.ts';

/** The lowest that there is: any other thread that wants a core gets it. */
const NICE = 19;

// On Linux 0 means the calling thread, sched(7). Elsewhere it is the whole process, whose other threads must keep their
// priority.
if (process.platform === 'linux') setPriority(0, NICE);

const port = parentPort;
if (!port) throw new Error('sheets/worker.ts runs only as a worker thread');
const settings = workerData as SheetSettings;
const document =
  settings.format === 'pdf'
    ? openDocument(settings)
    : openPrinterDocument(settings, settings.format === 'zpl' ? ZPL : EPL);

const work = async (order: SheetOrder): Promise<Omit<SheetAnswer, 'workedMs'>> => {
  if (order.kind === 'check') return { ...document.check(order.page), bytes: document.take() };
  const nothing = { losses: [], faults: [], warnings: [] };
  if (order.kind === 'end') return { ...nothing, bytes: await document.end() };
  return { ...nothing, ...document.drawPage(order.page), bytes: document.take() };
};

const answer = async (order: SheetOrder): Promise<SheetAnswer> => {
  const startedMs = performance.now();
  const answered = await work(order);
  return { ...answered, workedMs: performance.now() - startedMs };
};

port.on('message', async (order: SheetOrder) => {
  const answered = await answer(order);
  port.postMessage(answered, [answered.bytes.buffer]);
});
