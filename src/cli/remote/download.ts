/** Downloads parts, each once: an interrupted download resumes where it stopped. */
import { open, rm, stat } from 'node:fs/promises';
import { explain, readAnswer } from '../api.ts';
import { commandError } from '../fault.ts';
import { hashOfFile } from '../hash.ts';
import type { Patient } from '../patient.ts';
import { type PartBody, toBatchPath } from './batch.ts';

/** A connection that sends nothing for this long is dropped. */
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
  const timer = setTimeout(() => stalled.abort(new Error('the gateway sends nothing more')), STALL_MS);
  return {
    signal: AbortSignal.any([signal, stalled.signal]),
    feed: () => timer.refresh(),
    end: () => clearTimeout(timer),
  };
};

/** Requests the missing bytes, and appends what arrives. @throws When the connection breaks. */
const fetchOnce = async (
  { api, signal }: Patient,
  path: string,
  url: string,
  part: PartBody,
): Promise<void> => {
  const have = await sizeOf(path);
  const range = { range: `bytes=${have}-`, 'if-range': `"${part.sha256}"` };
  const watch = createWatch(signal);
  try {
    const headers = have > 0 ? range : {};
    const response = await api.open({ method: 'GET', path: url, headers, signal: watch.signal });
    const { status, body } = response;
    if (status >= 500 || status === 429) throw new Error(`part ${part.n}: the gateway answers ${status}`);
    if ((status !== 200 && status !== 206) || body === null)
      throw commandError(`part ${part.n}: ${explain(api.url, await readAnswer(response))}`);
    const file = await open(path, status === 206 ? 'a' : 'w');
    try {
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        await file.writeFile(chunk);
        watch.feed();
      }
      await file.datasync();
    } finally {
      await file.close();
    }
  } finally {
    watch.end();
  }
};

/** Downloads the rest of a part, however often the connection breaks. */
const fetchRest = async (patient: Patient, path: string, url: string, part: PartBody): Promise<void> => {
  for (let have = await sizeOf(path); have !== part.bytes; have = await sizeOf(path)) {
    if (have > part.bytes) await rm(path);
    const before = await sizeOf(path);
    await patient.persist(async () => {
      await fetchOnce(patient, path, url, part).catch(async (error: unknown) => {
        // Bytes that arrived before the connection broke count as a success, which ends an outage.
        if (error instanceof Error && 'syscall' in error) throw error;
        if (patient.signal.aborted || (await sizeOf(path)) <= before) throw error;
      });
    });
  }
};

/**
 * Downloads a part to a file, unless the file has it already. A part whose SHA-256 differs is downloaded again.
 *
 * @throws {CliFault} when it is damaged each time, or the gateway refuses it.
 */
export const downloadPart = async (
  patient: Patient,
  batchId: string,
  part: PartBody,
  path: string,
): Promise<void> => {
  const url = `${toBatchPath(batchId)}/parts/${part.n}`;
  for (let tries = 0; tries < DAMAGED_MAX; tries += 1) {
    await fetchRest(patient, path, url, part);
    if ((await hashOfFile(path)) === part.sha256) return;
    await rm(path);
  }
  throw commandError(
    `part ${part.n} does not have the SHA-256 that the gateway says, however often it is downloaded`,
  );
};
