/**
 * The entry point of a thread that writes one document: it checks labels, draws a page for each order, and then ends
 * the file.
 */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openDocument } from './document.ts';
import type { SheetAnswer, SheetOrder, SheetSettings } from './protocol.ts';

/** The lowest that there is: any other thread that wants a core gets it. */
const NICE = 19;

// On Linux 0 means the calling thread, sched(7). Elsewhere it is the whole process, whose other threads must keep their
// priority.
if (process.platform === 'linux') setPriority(0, NICE);

const port = parentPort;
if (!port) throw new Error('sheets/worker.ts runs only as a worker thread');
const document = openDocument(workerData as SheetSettings);

const answer = async (order: SheetOrder): Promise<SheetAnswer> => {
  const startedMs = performance.now();
  const { losses, faults } =
    order.kind === 'check'
      ? document.check(order.page)
      : { losses: [], faults: order.kind === 'page' ? document.drawPage(order.page) : [] };
  const bytes = order.kind === 'end' ? await document.end() : document.take();
  return { bytes, faults, losses, workedMs: performance.now() - startedMs };
};

port.on('message', async (order: SheetOrder) => {
  const answered = await answer(order);
  port.postMessage(answered, [answered.bytes.buffer]);
});
