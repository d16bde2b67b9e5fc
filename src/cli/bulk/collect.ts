/** Waits for a batch, and saves its parts as they are made. */
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadPart } from '../../../clients/typescript/src/batches/download.ts';
import { type BatchPart, followBatch } from '../../../clients/typescript/src/batches/follow.ts';
import { PART_ROWS } from '../../db/tables/batches/parts.ts';
import { pluralise } from '../../texts.ts';
import { commandError } from '../fault.ts';
import { hashOfFile } from '../hash.ts';
import { formatDuration, formatMegabytes } from '../progress.ts';
import { formatCount } from '../terminal.ts';
import type { BatchBody } from './batch.ts';
import { isWorthAnother } from './findings.ts';
import { openPartFile } from './part-file.ts';
import { readErrors, saveRows, type WantedRow } from './rows.ts';
import type { Work } from './work.ts';

const DAMAGED_MAX = 3;

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

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Appends to a file what it has not of a part. */
const download = async (
  { call, interrupted }: Work,
  id: string,
  { n, bytes }: BatchPart,
  path: string,
): Promise<void> => {
  const from = await sizeOf(path);
  if (from === bytes) return;
  const file = await open(path, from < bytes ? 'a' : 'w');
  try {
    const place = { id, n, from: from < bytes ? from : 0 };
    const options = { signal: interrupted };
    for await (const chunk of downloadPart(call, place, options)) await file.writeFile(chunk);
    await file.datasync();
  } finally {
    await file.close();
  }
};

/** Downloads a part to a file, again while it is damaged. @throws {CliFault} when it is damaged each time. */
const fetchPart = async (work: Work, id: string, part: BatchPart, path: string): Promise<void> => {
  for (let tries = 0; tries < DAMAGED_MAX; tries += 1) {
    await download(work, id, part, path);
    if ((await hashOfFile(path)) === part.sha256) return;
    await rm(path);
  }
  throw commandError(
    `part ${part.n} does not have the SHA-256 that the gateway says, however often it is downloaded`,
  );
};

const collectPart = async (
  work: Work,
  wanted: AsyncIterator<WantedRow>,
  batch: BatchBody,
  n: number,
  part: BatchPart | null,
): Promise<void> => {
  const path = join(work.parts, `${n}.zip`);
  const rows = await takeRows(wanted, n);
  if (!work.before.has(n)) {
    const errorOf = await readErrors(work, batch, part, rows.length);
    if (part !== null) {
      work.status.show(`Downloading part ${n}: ${formatMegabytes(part.bytes)}`, true);
      await fetchPart(work, batch.id, part, path);
    }
    const file = part === null ? null : await openPartFile(path);
    try {
      await work.saved.add(n, await saveRows(work, file, rows, errorOf));
    } finally {
      file?.close();
    }
  }
  await rm(path, { force: true });
};

/**
 * Saves all parts of a batch, in order, and returns the batch when it has ended. Skips what an earlier command has
 * saved.
 *
 * @param wanted All rows, in order.
 * @throws {CliFault} when the disk fails; {TesseraError} when the gateway does; the reason of an interrupt.
 */
export const collect = async (
  work: Work,
  wanted: AsyncIterator<WantedRow>,
  batchId: string,
): Promise<BatchBody> => {
  const onProgress = (batch: BatchBody) => work.status.show(describe(batch));
  const parts = followBatch<BatchBody>(work.call, batchId, { signal: work.interrupted, onProgress });
  let n = 1;
  let next = await parts.next();
  for (; !next.done; next = await parts.next()) {
    const { part, batch } = next.value;
    // No row of the parts in between was made.
    for (; n < part.n; n += 1) await collectPart(work, wanted, batch, n, null);
    await collectPart(work, wanted, batch, n, part);
    n += 1;
  }
  const batch = next.value;
  if (isWorthAnother(batch)) return batch;
  for (; (n - 1) * PART_ROWS < work.run.rows; n += 1) await collectPart(work, wanted, batch, n, null);
  return batch;
};
