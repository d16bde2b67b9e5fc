/** Small pictures that the service draws, for choices: a few at a time, each once. */
import { askRaw, Fault } from '../../../api/client.ts';
import type { QrRequest } from '../../../api/shapes.ts';

/** Fewer than the service draws at a time for an account, so that the preview never waits for them. */
const MAX_RUNNING = 2;
const MAX_KEPT = 120;
const TRIES = 4;

/** Data URLs by request, those that were asked for last at the end. */
const kept = new Map<string, Promise<string>>();
const waiting: (() => void)[] = [];
let running = 0;

const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running >= MAX_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
};

const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

const draw = async (body: string, tries = TRIES): Promise<string> => {
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await askRaw('dashboard/preview', { method: 'POST', headers, body });
    return await toDataUrl(await answer.blob());
  } catch (error) {
    if (!(error instanceof Fault) || error.retryAfterS === null || tries <= 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, Number(error.retryAfterS) * 1000));
    return draw(body, tries - 1);
  }
};

/** Returns a small picture of a design as a data URL. @throws {Fault} When the service does not draw it. */
export const thumbnail = (request: QrRequest): Promise<string> => {
  const body = JSON.stringify(request);
  const found = kept.get(body) ?? inTurn(() => draw(body));
  kept.delete(body);
  kept.set(body, found);
  found.catch(() => kept.delete(body));
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return found;
};
