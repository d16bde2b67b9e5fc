/** Reads the XLSX file that its thread is given, continuing only on request. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createNotes } from '../../csv/notes.ts';
import { readXlsxRecords } from '../../xlsx/read.ts';
import { columnsFor } from './columns.ts';
import { TABLE } from './limits.ts';
import { previewOf } from './preview.ts';
import type { SpreadsheetAnswer, SpreadsheetTask } from './spreadsheet.ts';
import { explain, type ReadLine, readTableLines, Unreadable } from './table.ts';

const port = parentPort;
if (!port) throw new Error('spreadsheet-reader.ts runs only as a worker thread');

/** Small files are read within one stretch, without a rest. */
const STRETCH_MS = 4;
/** Caps the rest, because a long stretch includes time in which the gateway did not ask for more. */
const REST_MAX_MS = 24;

/**
 * Makes the thread rest three times as long as it worked, because its garbage collection runs at the priority of the
 * process, not of the thread.
 */
const createRest = () => {
  let beganMs = performance.now();
  return async (): Promise<void> => {
    const workedMs = performance.now() - beganMs;
    if (workedMs < STRETCH_MS) return;
    await sleep(Math.min(3 * workedMs, REST_MAX_MS));
    beganMs = performance.now();
  };
};

const notes = createNotes();

/** Maximum lines and characters of an answer: the gateway handles this many in less than a millisecond. */
const ANSWER = { lines: 500, length: 256 * 1024 } as const;

async function* answers({ file, schema, wanted }: SpreadsheetTask): AsyncGenerator<SpreadsheetAnswer> {
  const columns = columnsFor(schema);
  const records = readXlsxRecords(Buffer.from(file.buffer), TABLE, notes, createRest());
  if (wanted.previewRows !== undefined) {
    const rows = { maxRows: wanted.previewRows, readsOn: false };
    yield { kind: 'preview', preview: await previewOf(records, columns, wanted.columns, rows), notes };
    return;
  }
  let lines: ReadLine[] = [];
  let length = 0;
  for await (const line of readTableLines(records, columns, wanted.columns, notes)) {
    lines.push(line);
    length += line.text.length;
    if (lines.length < ANSWER.lines && length < ANSWER.length) continue;
    yield { kind: 'lines', lines };
    lines = [];
    length = 0;
  }
  if (lines.length > 0) yield { kind: 'lines', lines };
}

const reading = answers(workerData as SpreadsheetTask);

/** @throws Errors that the file did not cause; the thread then ends. */
const next = async (): Promise<SpreadsheetAnswer> => {
  try {
    const { value } = await reading.next();
    return value ?? { kind: 'end', notes };
  } catch (error) {
    const explained = explain(error);
    if (!(explained instanceof Unreadable)) throw explained;
    return { kind: 'unreadable', message: explained.message, place: explained.place };
  }
};

port.on('message', async () => port.postMessage(await next()));
