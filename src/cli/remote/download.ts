/** Downloads parts, each once: a download that broke off goes on where it stopped. */
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { explain } from '../api.ts';
import { failed } from '../fault.ts';
import { batchPath, type PartBody } from './batch.ts';
import { sha256Of } from './hash.ts';
import type { Patient } from './patient.ts';

/** A connection that sends nothing for so long is given up. */
const STALL_MS = 60_000;
const DAMAGED_MAX = 3;

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Aborts when nothing was received for a while, or when the command is to end. */
const createWatch = (signal: AbortSignal) => {
  const stalled = new AbortController();
  const abort = (): void => stalled.abort(new Error('the gateway sends nothing more'));
  let timer = setTimeout(abort, STALL_MS);
  return {
    signal: AbortSignal.any([signal, stalled.signal]),
    feed(): void {
      clearTimeout(timer);
      timer = setTimeout(abort, STALL_MS);
    },
    end: (): void => clearTimeout(timer),
  };
};

const append = async (
  file: FileHandle,
  body: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<void> => {
  for await (const chunk of body) {
    await file.writeFile(chunk);
    onBytes(chunk.length);
  }
  await file.datasync();
};

/** Asks for the bytes that are missing, and appends what comes. @throws When the connection breaks off. */
const fetchOnce = async (
  { api, signal }: Patient,
  path: string,
  url: string,
  part: PartBody,
  onBytes: () => void,
): Promise<void> => {
  const have = await sizeOf(path);
  const range = { range: `bytes=${have}-`, 'if-range': `"${part.sha256}"` };
  const watch = createWatch(signal);
  try {
    const response = await api.open({
      method: 'GET',
      path: url,
      headers: have > 0 ? range : {},
      signal: watch.signal,
    });
    const { status, headers, body } = response;
    if (status >= 500 || status === 429) throw new Error(`the gateway answers ${status}`);
    if ((status !== 200 && status !== 206) || body === null) {
      const text = await response.text();
      throw failed(`part ${part.n}: ${explain(api.url, { status, headers, body: parse(text) })}`);
    }
    const file = await open(path, status === 206 ? 'a' : 'w');
    await append(file, body as unknown as AsyncIterable<Uint8Array>, () => {
      watch.feed();
      onBytes();
    }).finally(() => file.close());
  } finally {
    watch.end();
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Downloads what is missing of a part, however often the connection breaks off. */
const fetchRest = async (patient: Patient, path: string, url: string, part: PartBody): Promise<void> => {
  for (let have = await sizeOf(path); have !== part.bytes; have = await sizeOf(path)) {
    patient.signal.throwIfAborted();
    if (have > part.bytes) await rm(path);
    try {
      await fetchOnce(patient, path, url, part, patient.succeed);
    } catch (error) {
      if (patient.signal.aborted || isLocal(error)) throw error;
      await patient.backOff(`part ${part.n}: ${(error as Error).message}`, error);
    }
  }
};

/** Whether trying again would not help: the gateway refuses the part, or this machine cannot keep it. */
const isLocal = (error: unknown): boolean =>
  (error as Error).name === 'CliFault' ||
  ['ENOSPC', 'EACCES', 'EDQUOT', 'EROFS'].includes((error as { code?: string }).code ?? '');

/**
 * Downloads a part to a file, unless the file has it already. A part without its SHA-256 is downloaded again.
 *
 * @throws {CliFault} when it is damaged each time, or the gateway refuses it.
 */
export const downloadPart = async (
  patient: Patient,
  batchId: string,
  part: PartBody,
  path: string,
): Promise<void> => {
  const url = `${batchPath(batchId)}/parts/${part.n}`;
  for (let tries = 0; tries < DAMAGED_MAX; tries += 1) {
    await fetchRest(patient, path, url, part);
    if ((await sha256Of(path)) === part.sha256) return;
    await rm(path);
  }
  throw failed(`part ${part.n} has another SHA-256 than the gateway says, each time it is downloaded`);
};
