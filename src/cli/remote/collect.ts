/** Waits for a batch, and saves its parts as they are made. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PART_ROWS } from '../../db/tables/batches/parts.ts';
import { pluralise } from '../../texts.ts';
import type { Work } from '../bulk/run.ts';
import type { Patient } from '../patient.ts';
import { formatDuration, formatMegabytes, type Status } from '../progress.ts';
import { formatCount } from '../terminal.ts';
import { type BatchBody, formatError, getBatch, getErrors, getParts, type PartBody } from './batch.ts';
import { downloadPart } from './download.ts';
import { openPartFile } from './part-file.ts';
import { isPartSaved, saveRows, type WantedRow } from './slices.ts';

/** What collecting needs. */
export interface Collecting extends Work {
  readonly patient: Patient;
  readonly status: Status;
  /** All rows, in order. */
  readonly wanted: AsyncIterator<WantedRow>;
}

const LOOK_EVERY_MS = 1000;
const UNKNOWN_ERROR = 'it was not made; the gateway keeps the errors of some 10,000 rows';

const describe = ({ id, state, rows, made, position, remaining_s: remaining }: BatchBody): string => {
  const parts = [`Batch ${id}: ${state}`];
  if (state === 'running') parts.push(`${formatCount(made)} of ${formatCount(rows)} rows made`);
  if (position !== null && position > 0)
    parts.push(`${pluralise(position, 'batch is', 'batches are')} before it`);
  if (remaining !== null) parts.push(`${formatDuration(remaining)} left`);
  return parts.join(', ');
};

/** Takes the next rows, up to the last one of a part. */
const takeRows = async (wanted: AsyncIterator<WantedRow>, n: number): Promise<readonly WantedRow[]> => {
  const rows: WantedRow[] = [];
  for (;;) {
    const next = await wanted.next();
    if (next.done) return rows;
    rows.push(next.value);
    if (next.value.row === n * PART_ROWS) return rows;
  }
};

/** Returns why rows failed. Rows that were never begun have no error. */
const readErrors = async (patient: Patient, batch: BatchBody, part: PartBody | null, rows: number) => {
  const isWhole = part?.codes === rows || (batch.failed === 0 && batch.errors === 0);
  const errors = isWhole ? [] : await getErrors(patient, batch.id);
  const found = new Map(
    errors.map((line) => [line.row, { error: formatError(line), fileRow: line.file_row ?? null }]),
  );
  // All rows of a part are made or failed, unless the batch ended before.
  const isCut = batch.finished_at !== null && batch.state !== 'done';
  const unknown = isCut ? null : { error: UNKNOWN_ERROR, fileRow: null };
  return (row: number) => found.get(row) ?? unknown;
};

const collectPart = async (
  collecting: Collecting,
  batch: BatchBody,
  n: number,
  part: PartBody | null,
): Promise<void> => {
  const { patient, status, state, run, resumed } = collecting;
  const path = join(state, 'parts', `${n}.zip`);
  const wanted = await takeRows(collecting.wanted, n);
  if (isPartSaved(resumed.isDone, n, run.rows)) return rm(path, { force: true });
  const errorOf = await readErrors(patient, batch, part, wanted.length);
  const saving = { ...collecting, errorOf };
  if (part === null) return saveRows(saving, null, wanted);
  status.show(`Downloading part ${n}: ${formatMegabytes(part.bytes)}`, true);
  await downloadPart(patient, batch.id, part, path);
  const file = await openPartFile(path);
  try {
    await saveRows(saving, file, wanted);
  } finally {
    file.close();
  }
  await rm(path, { force: true });
};

/**
 * Saves all parts of a batch, in order, and returns the batch when it has ended. Skips what an earlier command has
 * saved.
 *
 * @throws {CliFault} when the gateway or the disk fails; the reason of the patient's signal when that is aborted.
 */
export const collect = async (collecting: Collecting, batchId: string): Promise<BatchBody> => {
  const { patient, status, state, run } = collecting;
  await mkdir(join(state, 'parts'), { recursive: true });
  const last = Math.ceil(run.rows / PART_ROWS);
  let next = 1;
  for (;;) {
    // A part that is listed before the batch is seen running has all of its rows. One that a cancellation closed is not
    // mistaken for such a part, because the batch is then seen finishing.
    const early = await getParts(patient, batchId);
    const batch = await getBatch(patient, batchId);
    status.show(describe(batch));
    const hasEnded = batch.finished_at !== null;
    const parts = hasEnded ? await getParts(patient, batchId) : batch.state === 'running' ? early : [];
    const listed = new Map(parts.map((part) => [part.n, part]));
    while (next <= last && (listed.has(next) || hasEnded)) {
      await collectPart(collecting, batch, next, listed.get(next) ?? null);
      next += 1;
    }
    if (hasEnded) return batch;
    await sleep(LOOK_EVERY_MS, undefined, { signal: patient.signal });
  }
};
